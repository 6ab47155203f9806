/** A second signal within this time repeats the same wish: a terminal and npm both pass Ctrl-C on. Milliseconds. */
const sameWish = 2000

/** The first Ctrl-C or request to terminate ends the run within a second, without its judgements being lost; a much later one ends the process. */
export function onInterrupt(): { readonly signal: AbortSignal; stop(): void } {
  const ended = new AbortController()
  let first = 0
  const interrupt = () => {
    if (!ended.signal.aborted) {
      first = performance.now()
      ended.abort(new Error('the run was interrupted'))
    } else if (performance.now() - first > sameWish) process.exit(130)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    signal: ended.signal,
    /** Gives the signals back. */
    stop() {
      const giveBack = () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      // A late signal of the same wish would end the process before it sets its own exit code.
      if (ended.signal.aborted) setTimeout(giveBack, sameWish).unref()
      else giveBack()
    },
  }
}
