import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { permissionRows } from '../../src/spec/permissions/permissions.ts'
import { firstVersion, isLatest, latestVersion } from '../../src/spec/versions.ts'
import { permissionsHeader } from '../../src/spec/words/words.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Finding } from '../../src/suite/deviation.ts'
import { expectOnce, firstOf } from '../../src/suite/observe.ts'
import { show } from '../../src/text/format.ts'
import {
  expectNoServerError,
  expectPermissionsNamed,
  judgeRefused,
  namesPermissions,
} from '../common/access.ts'
import {
  inventedToken,
  isAboutCaller,
  isProven,
  plainReads,
  requireProven,
  unlessUntested,
} from '../common/proof.ts'
import { repositoryOf } from '../common/repositories.ts'
import { type Attempt, cite, isGate, leaks } from './evidence.ts'
import { isPublicList, type RowAspect } from './row-aspects.ts'
import type { Row } from './row-callers.ts'
import { untestedForTarget } from './row-object.ts'
import type { RowProbe } from './row-probe.ts'

/** The token is entitled: only its own refusal is a deviation (readings F1, F5). A grant counts only if the token is proven (readings G4). */
export async function expectRowGranted(t: CheckContext, row: Row, aspect: RowAspect) {
  for (const each of await row.callersOf(t, aspect)) {
    const { probe } = each
    const own = await probe.attempt(t, each)
    cite(t, own)
    if (own.basis === 'absent' || !own.response.ok)
      return judgeNotServed(t, row, probe, own, aspect)
    if (!(await isToldApart(t, probe, own))) await requireProven(t, own.caller)
    t.examined(1)
  }
}

async function judgeNotServed(
  t: CheckContext,
  row: Row,
  probe: RowProbe,
  own: Attempt,
  aspect: RowAspect,
) {
  const { status, broken } = own.response
  // A read must not crash for an entitled token, but 501 means a feature that the target leaves out. A crash of a write may be
  // due to its body, which the document leaves open (readings G3, F15).
  if (probe.row.access === 'read' && status !== 501) expectNoServerError(t, own.response)
  const control = await probe.permitted(t)
  if (control.basis !== 'absent' && isGone(control.response)) await expectGoneInBoth(t, probe)
  const owner = requireControl(t, probe, control)
  cite(t, owner)
  const finding = {
    expected: `no refusal of access, as for the owner (${owner.response.status})`,
    actual: String(status),
    exchanges: [owner.response, own.response],
  }
  if (broken) t.deviation(finding)
  if (isRefused(own, owner)) await expectNotRefusedAgain(t, probe, own, finding)
  if (own.basis !== 'absent')
    t.untested(`the response was ${status}, which neither grants nor refuses access`)
  // For an id that does not exist, only a token without the permission proves that the row accepts this one.
  const [other] = (await unlessUntested(row.callersOf(t, { ...aspect, expects: 'denied' }))) ?? []
  const bare = await other?.probe.attempt(t, other)
  if (bare && isGate(bare.response) && !isGate(own.response)) return t.examined(1)
  untestedForTarget(probe.row, `a request for an unknown id returns ${status} for every caller`)
}

const isGone = ({ status }: Exchange) => [404, 405, 410].includes(status)

/**
 * Expects that no request is served under the other version alone: that would be an unlisted change (document: Versioning, rules
 * 3 and 4). Each order is tried, because a new object may be visible late.
 */
async function expectGoneInBoth(t: CheckContext, probe: RowProbe) {
  const version = isLatest(t) ? firstVersion : latestVersion
  await expectOnce(t, async (time) => {
    const early = time % 2 ? await probe.under(t, version) : undefined
    const own = await probe.under(t, t.apiVersion)
    const other = early ?? (await probe.under(t, version))
    return other.ok && isGone(own)
      ? {
          expected: `a successful response, as under ${version} (${other.status})`,
          actual: String(own.status),
          exchanges: [other, own],
        }
      : undefined
  })
}

/** The owner passes and the caller does not. For an id that does not exist, 404 may be about the id. */
function isRefused(own: Attempt, owner: Attempt) {
  if (!own.response.refused) return false
  return own.basis === 'absent'
    ? isGate(own.response) && !isGate(owner.response)
    : owner.response.ok
}

/** A refusal counts if the token is proven (readings G4), and if each repetition serves the owner and refuses the token. */
async function expectNotRefusedAgain(
  t: CheckContext,
  probe: RowProbe,
  own: Attempt,
  finding: Finding,
) {
  if (!(await isToldApart(t, probe, own))) await requireProven(t, own.caller)
  const other = await firstOf(t, async () => {
    const again = await probe.again(t, own.caller)
    cite(t, again.owner, again.own)
    return isRefused(again.own, again.owner) ? undefined : again
  })
  if (!other) t.deviation(finding)
  const [first, second, control] = [own, other.own, other.owner].map(
    ({ response }) => response.status,
  )
  t.untested(
    `the first request returned ${first}, the repeated request ${second}, and the request of the owner ${control}`,
  )
}

/** The callers are not entitled: they are not served, receive no data of entitled callers and change no object (readings F2, F3, G3). */
export async function expectRowRefused(t: CheckContext, row: Row, aspect: RowAspect) {
  const callers = await row.callersOf(t, aspect)
  const unproven: Attempt[] = []
  for (const each of callers) {
    const { caller, probe } = each
    const control = requireControl(t, probe, await row.control(t, probe))
    await requirePrivate(t, probe)
    const own = await probe.attempt(t, each)
    cite(t, control, own)
    await expectRefusal(t, probe, own, control.response)
    if (caller.kind === undefined || (await isToldApart(t, probe, own))) t.examined(1)
    else unproven.push(own)
  }
  const [first] = unproven
  if (first && unproven.length === callers.length) await requireProven(t, first.caller)
}

/** The target distinguishes the token from an invented one: here, by the responses to this very request, or elsewhere (readings G4). */
async function isToldApart(t: CheckContext, probe: RowProbe, own: Attempt) {
  const { response } = own
  const isClear = response.status !== 401 && isAboutCaller(response)
  const invented = isClear
    ? (await unlessUntested(probe.attempt(t, { caller: inventedToken, bare: true })))?.response
    : undefined
  if (invented && !invented.ok && isAboutCaller(invented) && invented.status !== response.status)
    return true
  return isProven(t, own.caller)
}

/** The response is a refusal without an effect, and differs from the owner's response. */
async function expectRefusal(t: CheckContext, probe: RowProbe, own: Attempt, owner: Exchange) {
  const { response, change, restless, basis } = own
  const { status, ok, broken } = response
  const isLeak = !ok && !broken && !change && (await reveals(t, probe, response, owner))
  judgeRefused(t, response, {
    flaw: change ? 'and the write took effect' : isLeak && 'with the data that the owner receives',
    evidence: change ? [change.before, response, change.after] : [owner, response],
  })
  if (restless)
    t.untested(
      `the object of the request changes by itself, so an effect of the request (${status}) cannot be proven`,
    )
  if (basis === 'absent' && !(isGate(response) && !isGate(owner)))
    untestedForTarget(
      probe.row,
      `a request for an unknown id returns ${status}, and ${owner.status} for the owner`,
    )
}

/** True when a rejection contains data of the owner. Members that a rejection of another category contains too are an envelope and no data. */
async function reveals(t: CheckContext, { row }: RowProbe, response: Exchange, owner: Exchange) {
  if (row.access === 'write' || !leaks(response, owner)) return false
  const other = plainReads.find(({ category }) => category !== row.category)
  const plain =
    other &&
    (await unlessUntested(t.read({ endpoint: other.endpoint, as: inventedToken, control: true })))
  return leaks(response, owner, plain?.ok === false ? plain : undefined)
}

/** The control. A request that even its owner is refused proves nothing (readings F5). */
function requireControl(t: CheckContext, probe: RowProbe, control: Attempt) {
  if (control.basis === 'absent' || control.response.ok) return control
  cite(t, control)
  return untestedForTarget(
    probe.row,
    `the request fails for the owner as well (${control.response.status})`,
  )
}

/** Ends the check unless a repository is private: a public one may be served to all callers (readings F3). */
async function requirePrivate(t: CheckContext, probe: RowProbe) {
  const { owner, repo } = (await probe.object(t)).request.params
  if (owner === undefined || repo === undefined) return
  const isPrivate = await t.shared(`private ${owner}/${repo}`, async (once) => {
    const declared = await repositoryOf(once, 'private')
    if (`${declared?.owner}/${declared?.repo}`.toLowerCase() === `${owner}/${repo}`.toLowerCase())
      return true
    const feed = {
      endpoint: endpoints.repositoryEvents,
      params: { owner, repo },
      query: { per_page: 1 },
    }
    const [own, others] = [
      await once.read({ ...feed, as: probe.owner }),
      await once.read({ ...feed, as: anonymous, control: true }),
    ]
    return own.ok && others.refused
  })
  if (!isPrivate)
    t.untested(
      `rejections are judged only on private repositories, and ${owner}/${repo} is not known to be private`,
    )
}

/**
 * At least one response to the tokens of the row's kinds must have the permissions header. A public list rejects no token, so a list
 * that does is read as well (readings F8).
 */
export async function expectRowNamed(t: CheckContext, row: Row, aspect: RowAspect) {
  const attempts: Attempt[] = []
  for (const each of await row.callersOf(t, aspect))
    attempts.push(await each.probe.attempt(t, each))
  cite(t, ...attempts)
  const value = attempts
    .find(({ response }) => namesPermissions(response))
    ?.response.header(permissionsHeader)
  if (value !== undefined) {
    t.observe(permissionsHeader, show(value), 'any value, on any response to these tokens')
    return t.examined(1)
  }
  if (isPublicList(row.row)) return expectNotNamedElsewhere(t, row, attempts)
  const onObjects = attempts.filter(({ basis }) => basis !== 'absent')
  expectPermissionsNamed(
    t,
    onObjects.map(({ response }) => response),
  )
}

/** The same tokens receive no such header on the list of the same category in a user's own name, either. */
async function expectNotNamedElsewhere(
  t: CheckContext,
  { row }: Row,
  attempts: readonly Attempt[],
) {
  const list = permissionRows.find(
    ({ category, access, path }) =>
      category === row.category && access === 'read' && !path.includes('{'),
  )
  if (!list) throw new Error(`no private list belongs to ${row.path}`)
  for (const { caller, response } of attempts.filter((attempt) => attempt.response.ok)) {
    const control = await t.read({ endpoint: list.endpoint, as: caller })
    if (!control.ok || !namesPermissions(control)) continue
    t.expect(response, control).satisfy(
      `a non-empty ${permissionsHeader}`,
      false,
      'no value, although the private list of the same category has one',
    )
  }
  t.untested(
    'the target does not send the header with successful responses, and here no request is rejected',
  )
}
