import type { CheckContext } from '../../../src/suite/context.ts'
import { Deviation } from '../../../src/suite/deviation.ts'
import { unlessUntested } from '../../common/proof.ts'

/** How often others may have done the same at the same moment; a second run on the same account does so again and again. */
const repetitions = 5

/**
 * Tries with other test data what failed with the first: a user, the upkeep of a server or another run may have marked the
 * threads at the same moment, but hardly each time. Where no other data is given, the first deviation stands.
 */
export async function confirmed<Data>(
  t: CheckContext,
  first: Data,
  other: () => Promise<Data>,
  attempt: (data: Data) => Promise<void>,
): Promise<void> {
  let deviation = await deviationOf(attempt(first))
  for (let again = 0; deviation && again < repetitions; again += 1) {
    const data = await unlessUntested(other())
    if (data === undefined) break
    const { message } = deviation
    deviation = await deviationOf(attempt(data))
    if (!deviation) t.untested(`it happened to the first threads only, which somebody else may have marked (${message})`)
  }
  if (deviation) throw deviation
}

/** What an attempt deviated by; undefined where it did not. */
async function deviationOf(attempt: Promise<void>): Promise<Deviation | undefined> {
  try {
    await attempt
    return undefined
  } catch (error) {
    if (error instanceof Deviation) return error
    throw error
  }
}
