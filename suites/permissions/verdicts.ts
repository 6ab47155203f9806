import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Finding } from '../../src/suite/deviation.ts'
import { everyTime, policies } from '../../src/suite/observe.ts'
import { inventedToken, isProven } from '../common/proof.ts'
import { type Attempt, cite, isGate, leaks } from './evidence.ts'
import { type RowCaller, requirePrivate } from './row-callers.ts'
import type { RowProbe } from './row-probe.ts'
import { untestedForTarget } from './row-request.ts'

/** Finds a token without the permission: for an id that does not exist, only the contrast proves that the row accepts a token. */
type Contrast = () => Promise<RowCaller | undefined>

/**
 * The token is entitled: a refusal that the owner does not receive is a deviation (readings F1, F5). A grant counts only if the
 * token is proven (readings G4).
 */
export async function expectGranted(t: CheckContext, entitled: RowCaller, contrast: Contrast): Promise<void> {
  const { probe } = entitled
  const own = await entitled.attempt(t)
  cite(t, own)
  if (own.basis === 'absent' || !own.answer.ok) return judgeNotServed(t, probe, own, contrast)
  if (await isToldApart(t, probe, own)) return t.examined(1)
  t.untested(`no response distinguishes the token ${own.caller.label} from one that was never issued`, 'token')
}

async function judgeNotServed(t: CheckContext, probe: RowProbe, own: Attempt, contrast: Contrast): Promise<void> {
  // A read must not crash for an entitled token, even if it crashes for its owner; 501 means a feature that the target leaves out.
  // A write may lack a body that the document leaves open (readings G3, F15).
  const crashed = probe.row.access === 'read' && own.answer.broken && own.answer.status !== 501
  if (crashed) t.deviation({ expected: 'no server error', actual: String(own.answer.status), exchanges: [own.answer] })
  const owner = requireControl(t, probe, await probe.permitted(t))
  cite(t, owner)
  const { status, broken } = own.answer
  const expected = `no refusal of access, as for the owner (${owner.answer.status})`
  const finding = { expected, actual: String(status), exchanges: [owner.answer, own.answer] }
  if (broken) t.deviation(finding)
  if (isRefused(own, owner)) await expectNotRefusedAgain(t, probe, own, finding)
  if (own.basis !== 'absent') t.untested(`the response was ${status}, which neither grants nor refuses access`)
  const bare = await (await contrast())?.attempt(t)
  if (bare && isGate(bare.answer) && !isGate(own.answer)) return t.examined(1)
  untestedForTarget(probe.row, `a request for an unknown id returns ${status} for every caller`)
}

/** The owner passes and the caller does not. For an id that does not exist, 404 may be about the id. */
function isRefused(own: Attempt, owner: Attempt): boolean {
  if (!own.answer.refused) return false
  return own.basis === 'absent' ? isGate(own.answer) && !isGate(owner.answer) : owner.answer.ok
}

/** A refusal counts if the token is proven (readings G4), and if each repetition serves the owner and refuses the token. */
async function expectNotRefusedAgain(t: CheckContext, probe: RowProbe, own: Attempt, finding: Finding): Promise<void> {
  if (!(await isToldApart(t, probe, own))) t.untested(notProven(own))
  const exchanges = await everyTime(policies.repeat, async (): Promise<Exchange[]> => {
    const again = await probe.again(t, own.caller)
    cite(t, again.owner, again.own)
    const [first, second, control] = [own, again.own, again.owner].map(({ answer }) => answer.status)
    if (isRefused(again.own, again.owner)) return [again.owner.answer, again.own.answer]
    return t.untested(
      `the first request returned ${first}, the repeated request ${second}, and the request of the owner ${control}`,
    )
  })
  t.deviation({ ...finding, exchanges: exchanges ?? [] })
}

/** The callers are not entitled: they are not served, receive no data of entitled callers and change no object (readings F2, F3, G3). */
export async function expectDenied(t: CheckContext, callers: readonly RowCaller[], who: string): Promise<void> {
  const unproven: Attempt[] = []
  for (const { caller, probe, attempt } of callers) {
    const control = requireControl(t, probe, await probe.control(t))
    await requirePrivate(t, probe)
    const own = await attempt(t)
    cite(t, control, own)
    expectRefusal(t, probe, own, control, who)
    if (caller.kind === undefined || (await isToldApart(t, probe, own))) t.examined(1)
    else unproven.push(own)
  }
  const [first] = unproven
  if (first && unproven.length === callers.length) t.untested(notProven(first))
}

/** The target distinguishes the token from an invented one: here, by the responses to this very request, or elsewhere (readings G4). */
async function isToldApart(t: CheckContext, probe: RowProbe, own: Attempt): Promise<boolean> {
  const { status, throttled, broken } = own.answer
  if (status !== 401 && !throttled && !broken) {
    const { answer } = await probe.rejected(t, inventedToken)
    if (!answer.ok && !answer.throttled && !answer.broken && answer.status !== status) return true
  }
  return isProven(t, own.caller)
}

/** The response is a refusal without an effect, and differs from the owner's response. */
function expectRefusal(t: CheckContext, probe: RowProbe, own: Attempt, owner: Attempt, who: string): void {
  const expected = `a rejection of ${who} without any effect`
  const { answer, change, restless, basis } = own
  const { status, ok, broken, refused } = answer
  if (ok || broken) t.deviation({ expected, actual: String(status), exchanges: [answer] })
  const effect = `${status}, and the request took effect`
  if (change) t.deviation({ expected, actual: effect, exchanges: [change.before, answer, change.after] })
  if (restless)
    t.untested(`the object of the request changes by itself, so an effect of the request (${status}) cannot be proven`)
  const leak = `${status} with data that the owner receives`
  if (probe.row.access === 'read' && leaks(answer, owner.answer))
    t.deviation({ expected, actual: leak, exchanges: [owner.answer, answer] })
  if (!refused) t.untested(`the response was ${status}, which neither grants nor refuses access`)
  if (basis === 'absent' && !(isGate(answer) && !isGate(owner.answer)))
    untestedForTarget(probe.row, `a request for an unknown id returns ${status}, and ${owner.answer.status} for the owner`)
}

/** The control. A request that even its owner is refused proves nothing (readings F5). */
function requireControl(t: CheckContext, probe: RowProbe, control: Attempt): Attempt {
  if (control.basis === 'absent' || control.answer.ok) return control
  cite(t, control)
  return untestedForTarget(probe.row, `the request fails for the owner as well (${control.answer.status})`)
}

function notProven({ caller, answer }: Attempt): string {
  return `the token ${caller.label} could not be proven valid, so its rejection (${answer.status}) proves nothing`
}
