import type { CheckContext } from '../../src/suite/context.ts'
import { Deviation } from '../../src/suite/deviation.ts'
import { unlessUntested } from '../common/access.ts'

/**
 * Tries with other test data what failed with the first: a user, or the upkeep of a server, may have marked the threads at
 * the same moment, but hardly twice. Where no other data is given, the first deviation stands.
 */
export async function confirmed<Data>(
  t: CheckContext,
  first: Data,
  other: () => Promise<Data>,
  attempt: (data: Data) => Promise<void>,
): Promise<void> {
  try {
    await attempt(first)
  } catch (error) {
    if (!(error instanceof Deviation)) throw error
    const data = await unlessUntested(other())
    if (data === undefined) throw error
    await attempt(data)
    t.untested(`it happened to the first threads only, which somebody else may have marked (${error.message})`)
  }
}
