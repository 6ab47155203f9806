import { anonymous, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { isRedirect } from '../../../src/http/exchange/redirect.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpointLabel, endpoints } from '../../../src/spec/endpoints.ts'
import { matrixKinds, type TokenKind } from '../../../src/spec/needs.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { type NeedMap, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { expectRefused, type RefusedCaller, refusedKindCell, type Secret } from '../../common/access.ts'
import { neverSent, readOtherwise } from '../../common/names.ts'
import { inventedToken, isProven, requireProven, unlessUntested } from '../../common/proof.ts'
import { writeRedirectChecks } from '../../common/served.ts'
import { listedMigration, type needs } from './migration-state.ts'

/** A refusal must neither redirect to an archive nor contain a migration or a list of repositories. */
const secretOf = async (t: CheckContext, response: Exchange, exactly?: number): Promise<Secret> => ({
  resource: 'migration',
  exactly,
  delivers: await delivers(t, response),
  leaks: (json) => Array.isArray(json) && json.some((item) => isObject(item) && 'full_name' in item),
})

/** True for a redirect to an archive. One to a page of HTML or JSON, such as a login, delivers nothing (readings G3). */
async function delivers(t: CheckContext, response: Exchange): Promise<boolean> {
  if (!isRedirect(response) || response.request.endpoint !== endpointLabel(endpoints.downloadArchive)) return false
  const { result } = await t.download(response, async (body) => {
    for await (const piece of body) return !/^\s*[<{]/.test(String(piece))
    return true
  })
  return response.header('location') !== undefined && result !== false
}

type RequestAs = (as: Caller) => RequestSpec

/** The access rules of an endpoint. */
export interface Access<Needs extends NeedMap> {
  /** The requirement of the refusal of anonymous callers. */
  readonly requirement: string
  /** The endpoint's row lists 401. */
  readonly listed401: boolean
  /** The endpoint is about one migration, which other users must not reach. */
  readonly ofOneMigration: boolean
  /** The same request as any caller; ends the check unless the owner is served by it (readings G4). */
  readonly request: (t: CheckContext, needs: Resolved<Needs>) => Promise<RequestAs>
}

/** Refuses anonymous callers, invented tokens, other users and the three token kinds. */
export function accessChecks<Needs extends NeedMap>(operation: Operation<Needs>, access: Access<Needs>): Check[] {
  const { requirement, listed401, ofOneMigration, request } = access
  const refused = operation.with({ conclusive: true })
  const ofCaller = ({ aspect, title, requirement, token, known = anonymous, exactly }: RefusedCaller) => {
    const own = { requirement, also: { owner: role('owner'), ...(token ? { caller: token } : {}) } }
    return refused.check(aspect, title, own, async (t, needs, { owner, caller = known }) => {
      const requestAs = await request(t, needs)
      // A cache may keep the owner's response for all callers, if only for a second.
      if (requestAs(owner).endpoint.method === 'GET' && caller !== inventedToken) await t.send(requestAs(owner))
      await expectRejected(t, requestAs(caller), exactly, token === outsider.token)
    })
  }
  const byKind = refused.with({ requirement: 'migrations.access.token-kinds' })
  const ofKind = (kind: TokenKind) => {
    const own = { also: { secret: everyone.secret }, asks: ['token'], matrix: refusedKindCell('migrations', kind) } as const
    return byKind.check(kind, `rejects a token of kind ${kind}`, own, async (t, needs, { secret }) => {
      const token = await tokenOfKind(t, kind, secret)
      await expectRejected(t, (await request(t, needs))(token))
      await requireProven(t, token)
    })
  }
  // An invented token is refused; 401 is its status if the row lists it (readings F19).
  const invalid = refused.check(
    'invalid-token',
    'returns 401 for a token that was never issued',
    { requirement: 'migrations.access.invalid-token', level: 'should' },
    async (t, needs) => void t.expect(...(await sendOnce(t, (await request(t, needs))(inventedToken)))).status(401),
  )
  return [
    ...unauthenticated(requirement, listed401).map(ofCaller),
    ...(ofOneMigration ? [ofCaller(outsider)] : []),
    ...(listed401 ? [invalid] : []),
    ...writeRedirectChecks(operation, 'migrations.no-redirect'),
    ...matrixKinds.map(ofKind),
  ]
}

/** Ids may be unique for each user only: `isOther`, another user, may have a migration with the same id. */
async function expectRejected(t: CheckContext, spec: RequestSpec, exactly?: number, isOther = false): Promise<void> {
  for (const response of await sendOnce(t, spec)) {
    if (isOther && (await isListed(t, spec.as, Number(spec.params?.migration_id), response)))
      t.untested('the other user has a migration with this id, too')
    expectRefused(t, response, await secretOf(t, response, exactly))
  }
}

/** Sends a request that must be rejected, once for all checks. Returns its response, and those to other forms of a read that are served. */
function sendOnce(t: CheckContext, spec: RequestSpec): Promise<[Exchange, ...Exchange[]]> {
  return t.shared(`refused ${spec.as.label} ${endpointLabel(spec.endpoint)} ${JSON.stringify(spec.params)}`, async (once) => [
    await once.send(spec),
    ...(await readOtherwise(once, { ...spec, headers: neverSent }, 'bare')),
  ])
}

const outsider: RefusedCaller = {
  aspect: 'outsider',
  requirement: 'migrations.access.own',
  title: 'rejects a user who does not own the migration',
  token: role('outsider'),
}

function unauthenticated(requirement: string, listed401: boolean): RefusedCaller[] {
  return [
    listed401
      ? { aspect: 'anonymous', requirement, title: 'returns 401 for a request without a token', exactly: 401 }
      : { aspect: 'anonymous', requirement, title: 'rejects a request without a token' },
    {
      aspect: 'invented-token',
      requirement: 'migrations.access.invented-token',
      title: 'rejects a token that was never issued',
      known: inventedToken,
    },
  ]
}

/** The needs of a check of effects: every configured caller is tried. */
export const everyone = { outsider: optional(role('outsider')), secret: optional(need('private-repository')) }

/** Sends a request as every caller to refuse. Ends the check if one was served, which its own check reports, or if none could send. */
export async function tryEveryone(
  t: CheckContext,
  request: RequestAs,
  { outsider, secret }: Resolved<typeof everyone>,
  { withOutsider }: { withOutsider: boolean },
): Promise<Exchange[]> {
  const callers = [anonymous, inventedToken, ...(outsider && withOutsider ? [outsider] : [])]
  for (const kind of matrixKinds) {
    const token = await tokenOfKind(t, kind, secret).catch(() => undefined)
    if (token && (await isProven(t, token))) callers.push(token)
  }
  const responses: Exchange[] = []
  for (const caller of callers) {
    const response = await unlessUntested(t.send(request(caller)))
    if (response) responses.push(response)
  }
  if (responses.length === 0) responses.push(await t.send(request(anonymous)))
  const served = responses.find(({ status }) => status < 400)
  return served ? t.untested(`a request that must be rejected was accepted (${served.request.as})`) : responses
}

/** The owner's token of a kind, or an installation's. It may read the private repository if there is one. */
function tokenOfKind(t: CheckContext, kind: TokenKind, secret: Resolved<typeof everyone>['secret']): Promise<Caller> {
  return t.tokenFor({
    kind,
    permissions: { repository: { metadata: 'read' } },
    instead: {},
    ...(kind === 'app-installation' ? {} : { of: 'owner' as const }),
    ...(secret && kind !== 'app-user' ? { account: secret.owner } : {}),
  })
}

/** A valid 32-bit id that is unlikely to exist. */
export const unknownId = 2_147_480_007

/** The request of an endpoint for a migration by its id. */
interface OneMigration<Needs extends NeedMap> {
  readonly request: (as: Caller, id: number) => RequestSpec
  /** The control: the response for a migration of the caller's own (readings G15). */
  readonly readOwn: (t: CheckContext, needs: Resolved<Needs>) => Promise<Exchange>
}

/** The response for an unknown id is 404 (document: Endpoints, User migrations; Errors). */
export function unknownMigration<Needs extends NeedMap>(operation: Operation<Needs>, one: OneMigration<Needs>): Check {
  const own = { requirement: `${operation.id}.unknown`, also: { owner: role('owner') } }
  return operation.check('unknown-id', 'returns 404 for a migration that does not exist', own, async (t, needs, { owner }) => {
    if (!(await one.readOwn(t, needs)).ok) t.untested('the request fails for a migration that exists as well')
    t.expect(await t.send(one.request(owner, unknownId))).status(404)
  })
}

/** A migration of another user is refused. */
export function foreignMigration(operation: Operation<typeof needs>, { request, readOwn }: OneMigration<typeof needs>): Check {
  const claim = { requirement: 'migrations.access.own', also: { foreign: need('foreign-migration') }, conclusive: true } as const
  return operation.check('foreign', "rejects a request for another user's migration", claim, async (t, needs, { foreign }) => {
    const { ok, status } = await readOwn(t, needs)
    if (!ok) t.untested(`the request fails for the caller's own migration as well (${status})`)
    await expectForeign(t, needs.owner, foreign.migration_id, await t.read(request(needs.owner, foreign.migration_id)))
  })
}

/** The response for another user's migration is a refusal. The control: the caller's own list does not contain it (readings G17). */
export async function expectForeign(t: CheckContext, owner: Caller, id: number, response: Exchange): Promise<void> {
  if (await isListed(t, owner, id, response)) t.untested("the migration is in the caller's own list", 'foreign-migration')
  expectRefused(t, response, await secretOf(t, response))
}

const isListed = async (t: CheckContext, as: Caller, id: number, { status }: Exchange) =>
  status < 400 && (await listedMigration(t, as, id)).migration !== undefined
