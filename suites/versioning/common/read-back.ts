import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'

/** Seconds after which a change is read back again: replicas may lag a little. */
const patience = [0, 1, 3]

/** Reads until an answer shows a change, for a few seconds; returns the last answer. */
export async function readUntil(
  t: CheckContext,
  what: string,
  read: () => Promise<Exchange>,
  shows: (answer: Exchange) => boolean,
): Promise<Exchange> {
  for (const seconds of patience) {
    if (seconds > 0) await t.wait(seconds, what)
    const answer = await read()
    if (shows(answer) || seconds === patience.at(-1)) return answer
  }
  return read()
}
