/** Lets timers, sockets and signals have their turn before the next statement. */
export { setImmediate as nextTurn } from 'node:timers/promises'

/** Acts once after some milliseconds. The timer keeps no process alive. The returned function stops it. */
export function after(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds).unref()
  return () => clearTimeout(timer)
}

/** Acts again and again, like {@link after}. */
export function every(milliseconds: number, act: () => void): () => void {
  const timer = setInterval(act, milliseconds).unref()
  return () => clearInterval(timer)
}
