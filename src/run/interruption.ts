/** Listens to the signals that end a run: Ctrl-C and the request to terminate. */
export interface Interruption {
  readonly signal: AbortSignal
  /** Gives the signals back. */
  stop(): void
}

/** The first signal ends the run, which keeps what was judged; a second one ends the process. */
export function onInterrupt(): Interruption {
  const ended = new AbortController()
  const interrupt = () => {
    if (ended.signal.aborted) process.exit(130)
    ended.abort(new Error('the run was interrupted'))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    signal: ended.signal,
    stop() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
    },
  }
}
