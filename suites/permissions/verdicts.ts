import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Finding } from '../../src/suite/deviation.ts'
import { inventedToken, isProven } from '../common/proof.ts'
import { type Attempt, cite, isGate, leaks } from './attempt.ts'
import { privateOnly } from './private-place.ts'
import type { RowCaller } from './row-callers.ts'
import type { RowProbe } from './row-probe.ts'
import { untestedForTarget } from './row-request.ts'

/**
 * The token is entitled: a refusal that the owner does not get is a deviation (readings F1, F5). A grant counts only where the
 * token is told from an invented one (readings G4).
 */
export async function granted(t: CheckContext, entitled: RowCaller, without?: RowCaller): Promise<void> {
  const { probe } = entitled
  const own = await entitled.attempt(t)
  cite(t, own)
  if (own.basis === 'absent' || !own.answer.ok) return notServed(t, probe, own, without)
  if (await isToldApart(t, probe, own)) return t.examined(1)
  t.untested(`nothing shows that the target tells the token ${own.caller.label} from one that was never issued`, 'token')
}

async function notServed(t: CheckContext, probe: RowProbe, own: Attempt, without?: RowCaller): Promise<void> {
  noCrash(t, probe, own)
  const owner = served(t, probe, await probe.permitted(t))
  cite(t, owner)
  const finding = {
    expected: `no refusal of access, as for the owner (${owner.answer.status})`,
    actual: String(own.answer.status),
    exchanges: [owner.answer, own.answer],
  }
  if (own.answer.broken) t.deviation(finding)
  if (isRefused(own, owner)) await refusedAgain(t, probe, own, finding)
  if (own.basis !== 'absent') t.untested(`the response was ${own.answer.status}, which neither grants nor refuses access`)
  const bare = await without?.attempt(t)
  if (bare && isGate(bare.answer) && !isGate(own.answer)) return t.examined(1)
  untestedForTarget(probe.row, `a request for an unknown id returns ${own.answer.status} for every caller`)
}

/** What a target returns for a feature that it leaves out. */
const notImplemented = 501

/**
 * A read that crashes for an entitled token fails, whatever its owner gets; what a write must have as its body is not shown (readings G3,
 * F15). A feature that nobody is given is left out, which is no crash.
 */
function noCrash(t: CheckContext, { row }: RowProbe, { answer }: Attempt): void {
  if (row.access === 'read' && answer.broken && answer.status !== notImplemented)
    t.deviation({ expected: 'no server error', actual: String(answer.status), exchanges: [answer] })
}

/** The owner is let through and the caller is not; on an id that does not exist, 404 may be about the id. */
function isRefused(own: Attempt, owner: Attempt): boolean {
  if (!own.answer.refused) return false
  return own.basis === 'absent' ? isGate(own.answer) && !isGate(owner.answer) : owner.answer.ok
}

/** How often the owner must be served and the token refused in turn; an object that somebody else removes looks like a refusal once. */
const repetitions = 3

/** A refusal counts when the token works elsewhere (readings G4), and when the owner is served again where the token is refused again. */
async function refusedAgain(t: CheckContext, probe: RowProbe, own: Attempt, finding: Finding): Promise<never> {
  if (!(await isToldApart(t, probe, own))) t.untested(notShownValid(own))
  const exchanges: Exchange[] = []
  for (let time = 0; time < repetitions; time += 1) {
    const again = await probe.again(t, own.caller)
    cite(t, again.owner, again.own)
    exchanges.splice(0, 2, again.owner.answer, again.own.answer)
    const [first, second, control] = [own, again.own, again.owner].map(({ answer }) => answer.status)
    if (!isRefused(again.own, again.owner))
      t.untested(`the first request returned ${first}, the repeated request ${second}, and the request of the owner ${control}`)
  }
  return t.deviation({ ...finding, exchanges })
}

/** The callers are not entitled: being served, seeing what an entitled caller sees or causing a change is a deviation (readings F2, F3, G3). */
export async function denied(t: CheckContext, callers: readonly RowCaller[], who: string): Promise<void> {
  const unproven: Attempt[] = []
  for (const { caller, probe, attempt } of callers) {
    const control = served(t, probe, await probe.control(t))
    await privateOnly(t, (await probe.request(t)).params, probe.owner)
    const own = await attempt(t)
    cite(t, control, own)
    refuses(t, probe, own, control, who)
    if (caller.kind === undefined || (await isToldApart(t, probe, own))) t.examined(1)
    else unproven.push(own)
  }
  const silent = unproven.length === callers.length ? unproven[0] : undefined
  if (silent) t.untested(notShownValid(silent))
}

/** The target tells the token from an invented one: here, by the answers to this very request, or elsewhere (readings G4). */
async function isToldApart(t: CheckContext, probe: RowProbe, own: Attempt): Promise<boolean> {
  const { status, throttled, broken } = own.answer
  if (status !== 401 && !throttled && !broken) {
    const { answer } = await probe.rejected(t, inventedToken)
    if (!answer.ok && !answer.throttled && !answer.broken && answer.status !== status) return true
  }
  return isProven(t, own.caller)
}

/** Ends the check unless the answer is a refusal without effect that can be told from the owner's answer. */
function refuses(t: CheckContext, probe: RowProbe, own: Attempt, owner: Attempt, who: string): void {
  const expected = `a rejection of ${who} without any effect`
  const { status, ok, broken, refused } = own.answer
  if (ok || broken) t.deviation({ expected, actual: String(status), exchanges: [own.answer] })
  if (own.change) {
    const { before, after } = own.change
    t.deviation({ expected, actual: `${status}, but the request took effect`, exchanges: [before, own.answer, after] })
  }
  if (own.restless)
    t.untested(`the object of the request changes by itself, so an effect of the rejected request (${status}) cannot be told`)
  if (probe.row.access === 'read' && leaks(own.answer, owner.answer)) {
    t.deviation({ expected, actual: `${status} with data that the owner receives`, exchanges: [owner.answer, own.answer] })
  }
  if (!refused) t.untested(`the response was ${status}, which neither grants nor refuses access`)
  if (own.basis === 'absent' && !(isGate(own.answer) && !isGate(owner.answer))) {
    untestedForTarget(probe.row, `a request for an unknown id returns ${status}, and ${owner.answer.status} for the owner`)
  }
}

/** The control. A request that even its owner is refused proves nothing (readings F5). */
function served(t: CheckContext, probe: RowProbe, control: Attempt): Attempt {
  if (control.basis === 'absent' || control.answer.ok) return control
  cite(t, control)
  return untestedForTarget(probe.row, `the request fails for the owner as well (${control.answer.status})`)
}

function notShownValid({ caller, answer }: Attempt): string {
  return `the token ${caller.label} could not be proven valid, so its rejection (${answer.status}) proves nothing`
}
