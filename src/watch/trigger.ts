import type { Readable } from 'node:stream'
import { tryConnect } from '../http/transport/reach.ts'

/** The event that repeats the run, or the end of the watch. */
export type Trigger = 'enter' | 'back' | 'end'

/** The input and the target of a watch. */
export interface Watched {
  /** Each line repeats the run; its end ends the watch. */
  readonly input: Readable
  /** The address of the target. A target that stopped and started again repeats the run. */
  readonly baseUrl: string
  /** The interval between connection attempts. Milliseconds. */
  readonly every: number
  readonly signal: AbortSignal
}

/** The time limit of a connection attempt. Milliseconds. */
const connectWithin = 2000

/** Waits for a line, or for a target that stopped to start again; `end` when the signal is aborted or the input ends. */
export async function nextTrigger({ input, baseUrl, every, signal }: Watched): Promise<Trigger> {
  return new Promise((resolve) => {
    let gone = false
    let timer: NodeJS.Timeout
    const finish = (trigger: Trigger) => {
      clearTimeout(timer)
      input.off('data', onData).off('end', onEnd)
      input.pause()
      signal.removeEventListener('abort', onEnd)
      resolve(trigger)
    }
    const onData = () => finish('enter')
    const onEnd = () => finish('end')
    const look = async () => {
      const listens = (await tryConnect(baseUrl, connectWithin)) === undefined
      if (signal.aborted) return
      if (gone && listens) return finish('back')
      gone ||= !listens
      timer = setTimeout(look, every)
    }
    if (signal.aborted || input.readableEnded) return resolve('end')
    input.on('data', onData).on('end', onEnd)
    input.resume()
    signal.addEventListener('abort', onEnd)
    timer = setTimeout(look, every)
  })
}
