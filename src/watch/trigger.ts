import type { Readable } from 'node:stream'
import { tryConnect } from '../http/transport/reach.ts'

/** Why a run begins again, or that it does not. */
export type Trigger = 'enter' | 'back' | 'end'

/** What is watched. */
export interface Watched {
  /** Each line begins a run; its end ends the watch. */
  readonly input: Readable
  /** Where the target listens; a target that went away and came back begins a run. */
  readonly baseUrl: string
  /** How often the target is looked at. Milliseconds. */
  readonly every: number
  readonly signal: AbortSignal
}

/** How long a connection may take while watching. Milliseconds. */
const connectWithin = 2000

/** Waits for a line, or for the target to come back after it was gone; `end` when the signal is aborted or the input ends. */
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
