import type { CheckContext } from '../../../src/suite/context.ts'
import { Deviation } from '../../../src/suite/deviation.ts'
import { type Policy, policies } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'

/**
 * Repeats with other test data an attempt that failed with the first: a user, the upkeep of a server or another run may have
 * marked the threads at the same moment. Without other data, the first deviation counts. `time` is 0 for the first attempt.
 */
export async function confirmed<Data>(
  t: CheckContext,
  first: Data,
  other: () => Promise<Data>,
  attempt: (data: Data, time: number) => Promise<void>,
  { tries }: Policy = policies.otherData,
): Promise<void> {
  let deviation = await deviationOf(attempt(first, 0))
  for (let time = 0; deviation && time < tries; time += 1) {
    const data = await unlessUntested(other())
    if (data === undefined) break
    const { message } = deviation
    deviation = await deviationOf(attempt(data, time + 1))
    if (!deviation) t.untested(`not reproduced on other threads, so another program may have marked the first ones (${message})`)
  }
  if (deviation) throw deviation
}

/** The deviation of an attempt, if there is one. */
const deviationOf = (attempt: Promise<void>): Promise<Deviation | undefined> =>
  attempt.then(() => undefined).catch((error: unknown) => (error instanceof Deviation ? error : Promise.reject(error)))
