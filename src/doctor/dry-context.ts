import { NoAnswer } from '../http/exchange/no-answer.ts'
import { NotSent } from '../http/exchange/not-sent.ts'
import { createContext } from '../run/judge/context.ts'
import type { Session } from '../run/judge/session.ts'
import type { Trace } from '../run/judge/trace.ts'
import type { CheckContext } from '../suite/context.ts'
import { DryStop } from './dry-provider.ts'

/** What a check used and examined, and where it had to stop, even if it goes on after that. */
export interface DryTrace extends Trace {
  stop?: DryStop
}

/** A check's context in which nothing is changed: nothing is sent, or where it may read, only what checks share. */
export function dryContext(session: Session, trace: DryTrace, mayRead: boolean): CheckContext {
  const stopNow = (): never => {
    trace.stop ??= new DryStop()
    throw trace.stop
  }
  const stop = async () => stopNow()
  const usual = createContext(session, trace)
  const read = mayRead ? sharedReads(usual.read, stopNow) : stop
  const context: CheckContext = {
    ...usual,
    read,
    // A read of its own is answered by the shared one: it is only of interest whether there is anything to judge.
    send: read,
    poll: stop,
    pollAgain: stop,
    download: stop,
    wait: stop,
    eventually: stop,
    recorded: stopNow,
    cleanUp: () => {},
    leavesBehind: () => {},
    shared: <Value>(name: string, make: (t: CheckContext) => Promise<Value>) => {
      const known = session.shared.get(name) ?? { value: make(context), exchanges: trace.exchanges }
      session.shared.set(name, known)
      return known.value as Promise<Value>
    },
  }
  return context
}

/** Reads as a run sends them; a dry run stops where the limit of requests is reached or nothing is answered. */
function sharedReads(read: CheckContext['read'], stopNow: () => never): CheckContext['read'] {
  return async (spec) => {
    if (spec.endpoint.method !== 'GET') return stopNow()
    return read(spec).catch((error: unknown) => {
      if (error instanceof NotSent || error instanceof NoAnswer) return stopNow()
      throw error
    })
  }
}
