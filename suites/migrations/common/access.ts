import { anonymous, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { isRedirect } from '../../../src/http/exchange/redirect.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import type { TokenKind } from '../../../src/spec/needs.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { type NeedMap, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { refusedKindCell } from '../../common/access.ts'
import { inventedToken, isProven, requireProven } from '../../common/proof.ts'
import { tokenOfKind } from './token-kinds.ts'

/** Token kinds that the migration endpoints do not work with (document: Authentication, rule 6). */
const refusedKinds = ['app-user', 'app-installation', 'fine-grained'] as const satisfies readonly TokenKind[]

/** An endpoint, a request of it that its owner is served, and what a refused one must leave alone. */
export interface Access<Needs extends NeedMap> {
  /** The `area.operation` that the checks' ids begin with. */
  readonly id: string
  readonly needs: Needs
  /** Requirement of the endpoint's refusals: anonymous callers. */
  readonly requirement: string
  /** The endpoint's row lists 401. */
  readonly listed401: boolean
  /** The endpoint is about one migration, which another user must not reach. */
  readonly ofOneMigration: boolean
  readonly schedule?: 'alone'
  /** False where its request needs no started migration. */
  readonly writes?: false
  /** The same request as any caller; ends the check unless the owner is served by it (readings G4). */
  readonly request: (t: CheckContext, needs: Resolved<Needs>) => Promise<(as: Caller) => RequestSpec>
}

/** Who must not be served: nobody without a token that was issued, no other user, none of the three token kinds. */
export function accessChecks<const Needs extends NeedMap>(access: Access<Needs>): Check[] {
  const { id, needs, requirement, listed401, ofOneMigration, schedule, writes = true } = access
  const common = { level: 'must', conclusive: true, writes, ...(schedule ? { schedule } : {}) } as const
  return [
    check({
      ...common,
      id: `${id}.anonymous`,
      requirement,
      title: listed401 ? 'returns 401 for a request without a token' : 'rejects a request without a token',
      needs,
      run: async (t, resolved) => {
        const answer = await t.send((await access.request(t, resolved))(anonymous))
        expectNotServed(t, answer)
        if (listed401) t.expect(answer).status(401)
      },
    }),
    ...inventedTokenChecks(access, common),
    ...(ofOneMigration ? [outsiderCheck(access, common)] : []),
    ...refusedKinds.map((kind) =>
      check({
        ...common,
        id: `${id}.${kind}`,
        requirement: 'migrations.access.token-kinds',
        title: `rejects a token of kind ${kind}`,
        matrix: refusedKindCell('migrations', kind),
        needs,
        also: { secret: optional(need('private-repository')) },
        asks: ['token'],
        run: async (t, resolved, { secret }) => {
          const request = await access.request(t, resolved)
          const token = await tokenOfKind(t, kind, secret)
          expectNotServed(t, await t.send(request(token)))
          await requireProven(t, token)
        },
      }),
    ),
  ]
}

/** A token that nobody was given is refused; 401 is its status where the row lists it (readings F19). */
function inventedTokenChecks<Needs extends NeedMap>(access: Access<Needs>, common: Common): Check[] {
  const { id, needs, listed401, request } = access
  return [
    check({
      ...common,
      id: `${id}.invented-token`,
      requirement: 'migrations.access.invented-token',
      title: 'rejects a token that was never issued',
      conclusive: true,
      needs,
      run: async (t, resolved) => expectNotServed(t, await t.send((await request(t, resolved))(inventedToken))),
    }),
    ...(listed401
      ? [
          check({
            ...common,
            id: `${id}.invalid-token`,
            requirement: 'migrations.access.invalid-token',
            level: 'should',
            title: 'returns 401 for a token that was never issued',
            needs,
            run: async (t, resolved) => void t.expect(await t.send((await request(t, resolved))(inventedToken))).status(401),
          }),
        ]
      : []),
  ]
}

/** What the checks of one endpoint's access have in common. */
interface Common {
  readonly level: 'must'
  readonly writes: boolean
  readonly schedule?: 'alone'
}

function outsiderCheck<Needs extends NeedMap>(
  access: Access<Needs>,
  common: { level: 'must'; conclusive: true; writes: boolean },
): Check {
  return check({
    ...common,
    id: `${access.id}.outsider`,
    requirement: 'migrations.access.own',
    title: 'rejects a user who does not own the migration',
    needs: access.needs,
    also: { outsider: role('outsider') },
    run: async (t, resolved, { outsider }) => {
      const request = await access.request(t, resolved)
      expectNotServed(t, await t.send(request(outsider)))
    },
  })
}

/** Ends the check as deviating when a request that must be refused was served, or its refusal tells what it hides (readings G3). */
export function expectNotServed(t: CheckContext, answer: Exchange): void {
  const { json, status } = answer
  const leads = isRedirect(answer) && answer.header('location') !== undefined
  const tells = Array.isArray(json) && json.some((item) => isObject(item) && 'full_name' in item)
  if (leads || tells) {
    const actual = `${status} with ${leads ? 'a Location' : 'a list of repositories'}`
    t.deviation({ expected: 'a refusal (401, 403 or 404)', actual, exchanges: [answer] })
  }
  t.expect(answer).refused('migration')
}

/** What a check of effects needs: whoever is configured is tried. */
export const everyone = { outsider: optional(role('outsider')), secret: optional(need('private-repository')) }

/** Sends a request as everybody who must be refused; ends the check when one of them was served, which its own check reports. */
export async function tryEveryone(
  t: CheckContext,
  request: (as: Caller) => RequestSpec,
  { outsider, secret }: { outsider: Caller | undefined; secret: { owner: string; repo: string } | undefined },
  { withOutsider }: { withOutsider: boolean },
): Promise<Exchange[]> {
  const callers = [anonymous, inventedToken, ...(outsider && withOutsider ? [outsider] : [])]
  for (const kind of refusedKinds) {
    const token = await tokenOfKind(t, kind, secret).catch(() => undefined)
    if (token && (await isProven(t, token))) callers.push(token)
  }
  const answers: Exchange[] = []
  for (const caller of callers) answers.push(await t.send(request(caller)))
  const served = answers.find(({ status }) => status < 400)
  return served ? t.untested(`a request that must be rejected was accepted (${served.request.as})`) : answers
}
