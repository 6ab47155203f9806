import { anonymous, type Caller } from '../../src/http/caller.ts'
import type { RequestSpec } from '../../src/http/client.ts'
import type { Endpoint } from '../../src/spec/endpoint.ts'
import type { TokenKind } from '../../src/spec/needs.ts'
import { type Check, check, type Schedule } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Needing, type NeedMap, type Resolved, role, token } from '../../src/suite/needs.ts'
import { type Effect, expectRefused, expectServed, inventedToken } from '../common/access.ts'
import { classicOnly } from '../common/classic-only.ts'

/** Where a request goes and what it carries, without its caller. */
type Address = Pick<RequestSpec, 'params' | 'body'>

/** Finds the address of a request; `entitled` is the user whose notifications it is about. */
type FindAddress<Needs extends NeedMap> = (t: CheckContext, needs: Resolved<Needs>, entitled: Caller) => Promise<Address>

/** One of the ten endpoints, seen by those who may use it and those who may not. */
export interface Operation<Needs extends NeedMap, Granted extends NeedMap = NeedMap> {
  readonly id: string
  readonly endpoint: Endpoint
  /** Whose notifications are at stake: those of a dedicated user where a wrongly accepted request changes many. */
  readonly of: 'owner' | 'inbox-user'
  /** What a refusal must not hold. */
  readonly resource: 'thread' | 'thread-subscription'
  readonly needs: Needs
  readonly address: FindAddress<Needs>
  /** Finding the address changes something. */
  readonly prepares?: boolean
  /** What the request would change, as the entitled user sees it. */
  readonly effect?: (t: CheckContext, needs: Resolved<Needs>, entitled: Caller) => Promise<Effect>
  /** The request that entitled tokens send, where it uses something up. */
  readonly granted?: { readonly needs: Granted; readonly address: FindAddress<Granted> }
}

const refusedKinds: readonly TokenKind[] = ['app-user', 'app-installation', 'fine-grained']
const sufficientScopes = ['notifications', 'repo'] as const

/** Who may use an endpoint (document: Authentication, rule 5; Errors, 401). */
export function accessChecks<const Needs extends NeedMap, const Granted extends NeedMap>(
  operation: Operation<Needs, Granted>,
): Check[] {
  const { id, of } = operation
  const claim = claimOf(operation)
  const listed = operation.endpoint.others.includes(401)
  return [
    refusal(operation, 'anonymous', 'rejects a request without a token', {}, () => anonymous, {
      exactly: listed ? 401 : undefined,
    }),
    ...(listed ? [invalidTokenCheck(operation)] : []),
    refusal(
      operation,
      'scope-missing',
      'rejects a classic token without the scope notifications or repo',
      { caller: token({ kind: 'classic', of, scopes: [] }) },
      ({ caller }) => caller,
    ),
    ...refusedKinds.map((kind) =>
      refusal(operation, kind, `rejects a token of kind ${kind}`, { caller: ofKind(kind, of) }, ({ caller }) => caller, { kind }),
    ),
    ...sufficientScopes.map((scope) =>
      check({
        id: `${id}.scope-${scope}`,
        requirement: 'notifications.access.scopes',
        level: 'must',
        title: `accepts a classic token with the scope ${scope} alone`,
        needs: { ...(operation.granted?.needs ?? operation.needs), entitled: role(of), caller: classic(of, scope) } as NeedMap,
        ...claim,
        run: async (t, resolved) => {
          const { entitled, caller } = resolved as unknown as Callers
          const address = await (operation.granted ?? operation).address(t, resolved as never, entitled)
          await expectServed(t, { endpoint: operation.endpoint, as: caller, ...address })
        },
      }),
    ),
  ]
}

interface Callers {
  readonly entitled: Caller
  readonly caller: Caller
}

function classic(of: Operation<NeedMap>['of'], scope: string): Needing<Caller> {
  return token({ kind: 'classic', of, scopes: [scope] })
}

/** An installation acts as nobody, so it belongs to no user. */
function ofKind(kind: TokenKind, of: Operation<NeedMap>['of']): Needing<Caller> {
  return kind === 'app-installation' ? token({ kind }) : token({ kind, of })
}

function claimOf({ endpoint, prepares = false }: { endpoint: Endpoint; prepares?: boolean }) {
  const changes = endpoint.method !== 'GET' || prepares
  const schedule: Schedule = changes ? 'alone' : 'shared'
  return changes ? { schedule, writes: true } : { schedule }
}

function refusal<const Needs extends NeedMap, const Who extends NeedMap>(
  operation: Operation<Needs, any>,
  aspect: string,
  title: string,
  who: Who,
  callerOf: (needs: Resolved<Who>) => Caller,
  { exactly, kind }: { readonly exactly?: number | undefined; readonly kind?: TokenKind } = {},
): Check {
  return check({
    id: `${operation.id}.${aspect}`,
    requirement: requirementOf(aspect, exactly),
    level: 'must',
    title,
    conclusive: true,
    ...(kind ? { matrix: classicOnly('notifications', kind) } : {}),
    needs: { ...operation.needs, entitled: role(operation.of), ...who } as NeedMap,
    ...claimOf(operation),
    run: async (t, resolved) => {
      const { entitled } = resolved as unknown as Callers
      const address = await operation.address(t, resolved as Resolved<Needs>, entitled)
      const request = { endpoint: operation.endpoint, as: callerOf(resolved as Resolved<Who>), ...address }
      const effect = operation.effect && (() => operation.effect?.(t, resolved as Resolved<Needs>, entitled) as Promise<Effect>)
      const control = operation.endpoint.method === 'GET' ? { entitled: { ...request, as: entitled } } : {}
      await expectRefused(t, { request, ...control, resource: operation.resource, effect, exactly })
    },
  })
}

function requirementOf(aspect: string, exactly: number | undefined): string {
  if (aspect === 'anonymous') return exactly === 401 ? 'notifications.access.anonymous-401' : 'notifications.access.anonymous'
  return aspect === 'scope-missing' ? 'notifications.access.scopes' : 'notifications.access.token-kinds'
}

function invalidTokenCheck<const Needs extends NeedMap>(operation: Operation<Needs, any>): Check {
  return check({
    id: `${operation.id}.invalid-token`,
    requirement: 'notifications.access.invalid-token',
    level: 'should',
    title: 'returns 401 for a token that was never issued',
    needs: { ...operation.needs, entitled: role(operation.of) } as NeedMap,
    ...claimOf(operation),
    run: async (t, resolved) => {
      const { entitled } = resolved as unknown as Callers
      const address = await operation.address(t, resolved as Resolved<Needs>, entitled)
      t.expect(await t.send({ endpoint: operation.endpoint, as: inventedToken, ...address })).status(401)
    },
  })
}
