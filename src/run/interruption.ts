/** Whether a run was interrupted. */
export interface Interruption {
  readonly happened: boolean
  /** Gives the signals back. */
  stop(): void
}

/** What ends a run early and keeps what was judged: the caller's signal where there is one, else Ctrl-C. */
export function interruptible(cancel: () => void, signal?: AbortSignal): Interruption {
  return signal ? byCaller(cancel, signal) : byKeyboard(cancel)
}

function byCaller(cancel: () => void, signal: AbortSignal): Interruption {
  // An engine that is not there yet cannot be cancelled.
  if (signal.aborted) queueMicrotask(cancel)
  else signal.addEventListener('abort', cancel, { once: true })
  return {
    get happened() {
      return signal.aborted
    },
    stop: () => signal.removeEventListener('abort', cancel),
  }
}

/** The first Ctrl-C ends the run; a second one ends the process. */
function byKeyboard(cancel: () => void): Interruption {
  let happened = false
  const interrupt = () => {
    if (happened) process.exit(130)
    happened = true
    cancel()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    get happened() {
      return happened
    },
    stop() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
    },
  }
}
