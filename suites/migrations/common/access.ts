import { anonymous, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { isRedirect } from '../../../src/http/exchange/redirect.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpointLabel, endpoints } from '../../../src/spec/endpoints.ts'
import { matrixKinds, type TokenKind } from '../../../src/spec/needs.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { type NeedMap, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import {
  type Effect,
  expectAcceptOptional,
  expectRefused,
  isChanged,
  judgeRefused,
} from '../../common/access.ts'
import { type CallerRow, callerChecks, callerKinds, classicOnly } from '../../common/callers.ts'
import { inventedToken, isProven, unlessUntested } from '../../common/proof.ts'
import { listedMigration } from './migration-state.ts'
import { idIn, leave, requestOf } from './start-request.ts'

/** A refusal must neither redirect to an archive nor contain a list of repositories. */
async function flawOf(t: CheckContext, response: Exchange) {
  const { json } = response
  if (await delivers(t, response)) return 'with a Location'
  return (
    Array.isArray(json) && json.some((item) => isObject(item) && 'full_name' in item) && 'with data'
  )
}

/** True for a redirect to an archive. One to a page of HTML or JSON, such as a login, delivers nothing (readings G3). */
async function delivers(t: CheckContext, response: Exchange) {
  if (
    !isRedirect(response) ||
    response.request.endpoint !== endpointLabel(endpoints.downloadArchive)
  )
    return false
  const { result } = await t.download(response, async (body) => {
    for await (const piece of body) return !/^\s*[<{]/.test(String(piece))
    return true
  })
  return response.header('location') !== undefined && result !== false
}

type RequestAs = (as: Caller) => RequestSpec

/**
 * Refuses anonymous callers, invented tokens, other users and the three token kinds, with `otherwise` too. `request` makes the same request
 * as any caller; it ends the check unless the owner is served by it (readings G4).
 */
export function accessChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  request: (t: CheckContext, needs: Resolved<Needs>) => Promise<RequestAs>,
  otherwise: Pick<RequestSpec, 'query'> = {},
) {
  const { id, endpoint } = operation
  const listed401 = endpoint?.others.includes(401)
  // Other users must not reach a migration.
  const isOfOne = endpoint?.path !== endpoints.listMigrations.path
  const rows: CallerRow[] = [
    {
      ...callerKinds.anonymous,
      aspect: 'anonymous',
      own: { requirement: `${id}.unauthenticated` },
      ...(listed401 && { title: 'returns 401 for a request without a token', exactly: 401 }),
    },
    ...classicOnly('migrations', (kind) => ({ find: (t) => tokenOfKind(t, kind) })),
  ]
  if (isOfOne)
    rows.push({
      ...callerKinds.outsider,
      aspect: 'outsider',
      title: 'rejects a user who does not own the migration',
      own: { requirement: 'migrations.access.own' },
    })
  // An invented token is refused; 401 is its status if the row lists it (readings F19).
  if (listed401)
    rows.push({
      ...callerKinds.invented,
      aspect: 'invalid-token',
      title: 'returns 401 for a token that was never issued',
      own: { requirement: 'migrations.access.invalid-token', level: 'should' },
      exactly: 401,
    })
  const bare = operation.check(
    'without-accept',
    'accepts a request without an Accept header',
    { requirement: 'conventions.accept-optional', also: { owner: role('owner') } },
    async (t, needs, { owner }) => {
      const own = (await request(t, needs))(owner)
      // Other checks need the archive and the locks.
      const params = { ...own.params, migration_id: unknownId }
      const isDeletion = own.endpoint.method === 'DELETE'
      const id = idIn(await expectAcceptOptional(t, isDeletion ? { ...own, params } : own))
      if (id) leave(t, owner, id)
    },
  )
  return [
    // The checks of lists have their own one.
    ...(!endpoint?.paging ? [bare] : []),
    ...callerChecks(
      operation,
      { owner: role('owner') },
      rows,
      async (t, needs, { owner }, { caller, row }) => {
        const requestAs = await request(t, needs)
        // A cache may keep the owner's response for all callers, if only for a second.
        const own = requestAs(caller)
        if (own.endpoint.method === 'GET' && caller !== inventedToken)
          await t.send(requestAs(owner))
        await expectRefused(t, {
          request: own,
          otherwise,
          resource: 'migration',
          exactly: row.exactly,
          flawOf: async (response) => {
            // Ids may be unique for each user only.
            if (row.aspect === 'outsider')
              await requireNotOwned(t, caller, Number(own.params?.migration_id), response)
            return flawOf(t, response)
          },
        })
      },
    ),
  ]
}

/** The needs of a check of effects: every configured caller is tried. */
export const everyone = { outsider: optional(role('outsider')) }

/**
 * Sends a request as every caller to refuse, until one of them had an effect. Ends the check if one was served, unless it judges
 * that itself, or if none could send. `effect` reads the facts that it would change, at once after each request.
 */
export async function tryEveryone(
  t: CheckContext,
  request: RequestAs,
  { outsider }: Resolved<typeof everyone>,
  { effect, judged }: { effect?: () => Promise<Effect>; judged?: boolean } = {},
) {
  // A right may begin with the second attempt.
  const callers = [anonymous, inventedToken, ...(outsider ? [outsider, outsider] : [])]
  for (const kind of matrixKinds) {
    const token = await tokenOfKind(t, kind).catch(() => undefined)
    if (token && (await isProven(t, token))) callers.push(token)
  }
  const before = await effect?.()
  const responses: Exchange[] = []
  for (const caller of callers) {
    const response = await unlessUntested(t.send(request(caller)))
    if (!response) continue
    responses.push(response)
    if (response.status < 400 && !judged)
      t.untested(`a request that must be refused was accepted (${response.request.as})`)
    if (before && isChanged(before, (await effect?.()) ?? before)) return responses
  }
  if (responses.length === 0) responses.push(await t.send(request(anonymous)))
  return responses
}

/** The requests of everybody else for a migration of the owner's are refused. */
export async function expectPrivate(
  t: CheckContext,
  owner: Caller,
  { outsider }: Resolved<typeof everyone>,
  id: number,
) {
  for (const endpoint of [endpoints.getMigration, endpoints.listMigrationRepositories]) {
    const request = (as: Caller) => requestOf(endpoint)(as, id)
    // A cache may keep the owner's response for all callers.
    await t.send(request(owner))
    for (const response of await tryEveryone(t, request, { outsider }, { judged: true })) {
      if (outsider && response.request.as === outsider.label)
        await requireNotOwned(t, outsider, id, response)
      judgeRefused(t, response, { resource: 'migration' })
    }
  }
}

/** The owner's token of a kind, or an installation's. It may read the private repository if there is one. */
async function tokenOfKind(t: CheckContext, kind: TokenKind) {
  const secret = await unlessUntested(t.ask('private-repository', {}))
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
  readonly request: (as: Caller, id: number, needs: Resolved<Needs>) => RequestSpec
  /** The control: the response for a migration of the caller's own (readings G15). */
  readonly readOwn: (t: CheckContext, needs: Resolved<Needs>) => Promise<Exchange>
}

/** The response for an unknown id is 404 (document: Endpoints, User migrations; Errors). */
export function unknownMigration<Needs extends NeedMap>(
  operation: Operation<Needs>,
  one: OneMigration<Needs>,
) {
  return operation.check(
    'unknown-id',
    'returns 404 for a migration that does not exist',
    { requirement: `${operation.id}.unknown`, also: { owner: role('owner') } },
    async (t, needs, { owner }) => {
      if (!(await one.readOwn(t, needs)).ok)
        t.untested('the request fails for a migration that exists as well')
      t.expect(await t.send(one.request(owner, unknownId, needs))).status(404)
    },
  )
}

/** A migration of another user is refused. */
export function foreignMigration<Needs extends NeedMap>(
  operation: Operation<Needs>,
  { request, readOwn }: OneMigration<Needs>,
) {
  return operation.check(
    'foreign',
    "rejects a request for another user's migration",
    {
      requirement: 'migrations.access.own',
      also: { owner: role('owner'), foreign: need('foreign-migration') },
      conclusive: true,
    },
    async (t, needs, { owner, foreign }) => {
      const { status } = await readOwn(t, needs)
      if (status >= 400)
        t.untested(`the request fails for the caller's own migration as well (${status})`)
      const { migration_id } = foreign
      const response = await t.read(request(owner, migration_id, needs))
      // The control: the caller's own list does not contain it (readings G17).
      await requireNotOwned(t, owner, migration_id, response, 'foreign-migration')
      judgeRefused(t, response, { resource: 'migration', flaw: await flawOf(t, response) })
    },
  )
}

/** Ends the check if the caller has a migration with this id: then a served response is about that one. */
async function requireNotOwned(
  t: CheckContext,
  as: Caller,
  id: number,
  { status }: Exchange,
  need?: 'foreign-migration',
) {
  if (status < 400 && (await listedMigration(t, as, id)).migration !== undefined)
    t.untested("the migration is in the caller's own list", need)
}
