import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import type { Permissions, TokenKind } from '../../src/spec/needs.ts'
import { permissionCategories } from '../../src/spec/permissions.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type NeedMap, need, role, type TokenRequest } from '../../src/suite/needs.ts'
import { expectRefused, expectServed, unlessUntested } from '../common/access.ts'
import type { Feed } from './feed.ts'
import { isPastLatency } from './known-events.ts'
import { showsAlike } from './visibility.ts'

const kinds: readonly TokenKind[] = ['app-user', 'app-installation', 'fine-grained']
const permissionsHeader = 'X-Accepted-Service-Permissions'
const metadata: Permissions = { repository: { metadata: 'read' } }

/** A private repository's feed asks for the Metadata permission (document: Authentication, rule 7). */
export function metadataChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const needs = { secret: need('private-repository'), owner: role('owner') }
  const perKind = kinds.flatMap((kind) => [
    check({
      id: `${feed.id}.metadata-${kind}`,
      requirement: 'events.access.metadata',
      level: 'must',
      title: `accepts ${kind} tokens with Metadata for a private repository`,
      needs,
      asks: ['token'],
      matrix: { owner: 'repository', category: 'Metadata', kind, access: 'read', expects: 'granted' },
      run: async (t, { secret, owner }) => {
        const own = await entitled(t, request(feed, secret, owner))
        const holder = await tokenOf(t, kind, secret.owner, metadata)
        const answer = await expectServed(t, request(feed, secret, holder), 200)
        // A private event is visible to its user, which an installation is not.
        if (kind === 'app-installation') t.expect(answer).array()
        else showsAlike(t, answer, own, isPastLatency)
      },
    }),
    check({
      id: `${feed.id}.metadata-other-${kind}`,
      requirement: 'events.access.metadata',
      level: 'must',
      title: `rejects ${kind} tokens without Metadata, whatever else they grant`,
      needs,
      asks: ['token'],
      matrix: { owner: 'repository', category: 'Metadata', kind, access: 'none', expects: 'refused' },
      run: async (t, { secret, owner }) => {
        const other = await t.tokenFor(everythingElse(kind, secret.owner))
        await expectRefused(t, {
          request: request(feed, secret, other),
          entitled: request(feed, secret, owner),
          resource: 'event',
        })
      },
    }),
    check({
      id: `${feed.id}.metadata-missing-${kind}`,
      requirement: 'events.access.metadata',
      level: 'must',
      title: `rejects ${kind} tokens without Metadata for a private repository`,
      conclusive: true,
      needs,
      matrix: { owner: 'repository', category: 'Metadata', kind, access: 'none', expects: 'refused' },
      run: async (t, { secret, owner }) => {
        const bare = await tokenOf(t, kind, secret.owner, {})
        await expectRefused(t, {
          request: request(feed, secret, bare),
          entitled: request(feed, secret, owner),
          resource: 'event',
        })
      },
    }),
  ])
  return [
    ...perKind,
    check({
      id: `${feed.id}.permissions-header`,
      requirement: 'permissions.header',
      level: 'must',
      title: 'sends X-Accepted-Service-Permissions to app and fine-grained tokens',
      needs,
      asks: ['token'],
      run: async (t, { secret }) => namesPermissions(t, (as) => request(feed, secret, as), secret.owner),
    }),
    check({
      id: `${feed.id}.permissions-header-both`,
      requirement: 'permissions.header-both',
      level: 'should',
      title: 'sends X-Accepted-Service-Permissions when it accepts and when it rejects',
      needs,
      asks: ['token'],
      run: async (t, { secret }) => namesPermissionsInBoth(t, (as) => request(feed, secret, as), secret.owner),
    }),
  ]
}

/** On the served or the refused answer to some token that lists its permissions (readings F8). */
async function namesPermissions(t: CheckContext, to: (as: Caller) => RequestSpec, account: string): Promise<void> {
  const pairs = await servedAndRefused(t, to, account)
  if (pairs.flat().some(isNaming)) return t.examined(1)
  const actual = 'no such header on a successful or a rejected response'
  t.deviation({ expected: `a non-empty ${permissionsHeader}`, actual, exchanges: pairs.flat() })
}

/** On both, where it is sent at all (readings F8). */
async function namesPermissionsInBoth(t: CheckContext, to: (as: Caller) => RequestSpec, account: string): Promise<void> {
  const pairs = await servedAndRefused(t, to, account)
  if (!pairs.flat().some(isNaming)) t.untested('neither the successful nor the rejected responses have the header')
  for (const pair of pairs) {
    if (pair.every(isNaming)) return t.examined(2)
  }
  const actual = 'such a header on only one of the two'
  t.deviation({ expected: `a non-empty ${permissionsHeader} when served and when rejected`, actual, exchanges: pairs.flat() })
}

function isNaming(answer: Exchange): boolean {
  return (answer.header(permissionsHeader) ?? '').trim() !== ''
}

/** The two answers to each kind of token that is served with Metadata and refused without. */
async function servedAndRefused(t: CheckContext, to: (as: Caller) => RequestSpec, account: string): Promise<Exchange[][]> {
  const pairs: Exchange[][] = []
  for (const kind of kinds) {
    const [holder, bare] = await Promise.all([
      unlessUntested(tokenOf(t, kind, account, metadata)),
      unlessUntested(tokenOf(t, kind, account, {})),
    ])
    if (!holder || !bare) continue
    const [served, refused] = [await t.read(to(holder)), await t.read(to(bare))]
    if (served.ok && refused.refused) pairs.push([served, refused])
  }
  return pairs.length > 0 ? pairs : t.untested('no kind of token was both served and refused', 'token')
}

function request<Needs extends NeedMap>(
  feed: Feed<Needs>,
  { owner, repo }: { owner: string; repo: string },
  as: Caller,
): RequestSpec {
  return { endpoint: feed.endpoint, params: { owner, repo }, as }
}

/** A token of the owner, or an installation on the repository's owner, with exactly these permissions. */
function tokenOf(t: CheckContext, kind: TokenKind, account: string, permissions: Permissions): Promise<Caller> {
  const only = Object.keys(permissions).length === 0
  if (kind === 'app-user') return t.tokenFor({ kind, of: 'owner', permissions, only })
  if (kind === 'fine-grained') return t.tokenFor({ kind, of: 'owner', account, permissions, only })
  return t.tokenFor({ kind, account, permissions, only })
}

/** A token that holds every listed category, and so may hold everything but Metadata (readings F20). */
function everythingElse(kind: TokenKind, account: string): TokenRequest {
  const listed = permissionCategories.filter(({ fineGrained }) => kind !== 'fine-grained' || fineGrained === 'listed')
  const of = (owner: 'organization' | 'repository') =>
    Object.fromEntries(listed.filter((category) => category.owner === owner).map(({ slug }) => [slug, 'write' as const]))
  const ask = { organization: of('organization'), repository: of('repository') }
  const whose = kind === 'app-installation' ? {} : { of: 'owner' as const }
  return { kind, ...whose, ...(kind === 'app-user' ? {} : { account }), permissions: {}, lacks: metadata, broadest: true, ask }
}

async function entitled(t: CheckContext, control: RequestSpec): Promise<Exchange> {
  const own = await t.read(control)
  return own.status === 200 ? own : t.untested(`the request fails for the owner as well (${own.status})`)
}
