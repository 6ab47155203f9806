import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Attempt } from './attempt.ts'
import type { Change, RowObject } from './row-object.ts'

/** How often a rejected request must change the object again before the change counts as its effect. */
const reproductions = 4

/**
 * Sends a write as each caller who must be rejected, between two readings of its object. Only where the object differs
 * afterwards, or somebody was served, is each of the others tried once more between readings of its own.
 */
export async function rejectTogether(t: CheckContext, object: RowObject, callers: readonly Caller[]): Promise<Attempt[]> {
  const before = await object.look(t)
  const attempts: Attempt[] = []
  for (const caller of callers) {
    const attempt = await send(t, object, caller)
    if (attempt.answer.ok) await object.putBack(t, attempt.answer)
    attempts.push(attempt)
  }
  const served = attempts.some(({ answer }) => answer.ok)
  const change = served ? undefined : await object.changeSince(t, before)
  if (!before || !(served || change)) return attempts
  const last = attempts.at(-1)?.answer
  if (change && last && !(await object.renew(t, last)))
    return attempts.map((attempt) => inDoubt(attempt, change, attempts.length === 1))
  for (const [index, attempt] of attempts.entries()) {
    if (!attempt.answer.ok) attempts[index] = await rejectAlone(t, object, attempt.caller)
  }
  return attempts
}

/** A change whose object is spent: it is the effect of the only rejected request, or that of any of several. */
function inDoubt(attempt: Attempt, change: Change, alone: boolean): Attempt {
  return alone ? { ...attempt, change } : { ...attempt, restless: true }
}

async function send(t: CheckContext, object: RowObject, caller: Caller): Promise<Attempt> {
  const { send, basis } = await object.request(t)
  return { caller, answer: await t.send({ ...send, as: caller }), basis }
}

async function rejectAlone(t: CheckContext, object: RowObject, caller: Caller): Promise<Attempt> {
  const before = await object.look(t)
  const attempt = await send(t, object, caller)
  if (attempt.answer.ok) await object.putBack(t, attempt.answer)
  const change = attempt.answer.ok ? undefined : await object.changeSince(t, before)
  return { ...attempt, ...(change ? await reproduced(t, object, attempt, change) : {}) }
}

/**
 * The change where the rejected request makes one each time that it is repeated on an object at rest.
 * A change seen once may be the late effect of an earlier permitted request, or somebody else's.
 */
async function reproduced(
  t: CheckContext,
  object: RowObject,
  first: Attempt,
  seen: Change,
): Promise<Pick<Attempt, 'change' | 'restless'>> {
  const mayBeLate = object.isWritten
  let [answer, change]: [Exchange, Change] = [first.answer, seen]
  for (let time = 0; time < reproductions; time += 1) {
    if (!(await object.renew(t, answer))) return mayBeLate && time === 0 ? { restless: true } : { change }
    // Once at rest, the object stays so where nobody else works on it.
    const before = await (time === 0 ? object.atRest(t) : object.atRest(t, 1))
    if (!before) return { restless: true }
    answer = (await send(t, object, first.caller)).answer
    const again = await object.changeSince(t, before)
    if (!again) return {}
    change = again
  }
  await object.putBack(t, answer)
  return { change }
}
