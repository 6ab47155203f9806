import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'

/** This version's valid requests so far. */
export interface Starts {
  /** Those that started a migration, in turn. */
  readonly accepted: { readonly body: object; readonly answer: Exchange }[]
  /** When the first was answered. Milliseconds. */
  since: number
  /** A valid request was rejected however often it was sent again, before any was accepted: further ones need not be sent so often. */
  vain: boolean
}

export function startsOf(t: CheckContext): Promise<Starts> {
  return t.shared('starts', async () => ({ accepted: [], since: Number.POSITIVE_INFINITY, vain: false }))
}
