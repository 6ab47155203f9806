import type { CheckContext } from '../../../src/suite/context.ts'
import { briefly, eventually, everyTime, type Looking } from '../../../src/suite/observe.ts'
import { unlessDeviating, unlessUntested } from '../../common/proof.ts'

/** Looks at threads that a request must not have marked, and deviates if one of them is read. A replica may be late (readings G16). */
export type LookForMarks = (looking: Looking) => Promise<unknown>

/** True if a brief look finds a marked thread, otherwise undefined. */
export async function isMarked(look: LookForMarks): Promise<true | undefined> {
  return (await unlessDeviating(look(briefly).then(() => true))) ? undefined : true
}

/**
 * Sends the requests of a check and looks for threads that they marked, with other test data as long as there are such threads: a
 * user, the upkeep of a server or another run may have marked them at the same moment. Only the last look takes its time.
 */
export async function onOtherData<Data>(
  t: CheckContext,
  first: Data,
  other: () => Promise<Data>,
  send: (data: Data) => Promise<LookForMarks>,
) {
  let look = await send(first)
  const areMarked = await everyTime(t, async (time) => {
    const data = time > 0 ? await unlessUntested(other()) : undefined
    if (data !== undefined) look = await send(data)
    return isMarked(look)
  })
  if (areMarked) await look(eventually)
}
