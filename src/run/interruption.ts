import { after } from '../http/transport/time/timers.ts'

/** A second signal within this time is a copy of the first: a terminal and npm both forward Ctrl-C. Milliseconds. */
const copyWindow = 2000

/** The signals that end a run: of a terminal, of a supervisor, and of a terminal that closes. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first of these signals ends the run within a second and keeps its judgements. A later one ends the process. */
export function onInterrupt(): { readonly signal: AbortSignal; stop(): void } {
  const ended = new AbortController()
  let first = 0
  const interrupt = () => {
    if (!ended.signal.aborted) {
      first = performance.now()
      ended.abort(new Error('the run was interrupted'))
    } else if (performance.now() - first > copyWindow) process.exit(130)
  }
  for (const signal of endingSignals) process.on(signal, interrupt)
  return {
    signal: ended.signal,
    /** Removes the handlers of the signals. */
    stop() {
      // A work that has ended needs no further signal to end it.
      first = Number.POSITIVE_INFINITY
      const removeHandlers = () => {
        for (const signal of endingSignals) process.off(signal, interrupt)
      }
      // A late copy of the signal would end the process before it sets its own exit code.
      if (ended.signal.aborted) after(copyWindow, removeHandlers)
      else removeHandlers()
    },
  }
}
