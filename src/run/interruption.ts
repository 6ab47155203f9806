/** Whether a run was interrupted. */
export interface Interruption {
  readonly happened: boolean
  /** Gives the signals back. */
  stop(): void
}

/** The first Ctrl-C ends the run and keeps what was judged; a second one ends the process. */
export function interruptible(cancel: () => void): Interruption {
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
