import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { matrixKinds, type Permissions } from '../../src/spec/needs.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing } from '../../src/suite/listing.ts'
import { itemsOf, type Located } from '../../src/suite/located.ts'
import { type NeedMap, optional, type Resolved, role, token } from '../../src/suite/needs.ts'
import { expectGranted } from '../common/access.ts'
import { type CallerKind, type CallerRow, callerChecks, callerKinds } from '../common/callers.ts'
import { readOtherwise } from '../common/names.ts'
import { expectSizes } from '../common/page-sizes.ts'
import { inventedToken, requireTwoUsers, unlessUntested } from '../common/proof.ts'
import {
  addressOf,
  createdAt,
  eventId,
  type Feed,
  isPrivate,
  open,
  recordedEvents,
  repositoryName,
} from './feed.ts'
import { expectPublic, isPastLatency, type KnownPrivate, knownPrivate } from './known-events.ts'

/** A caller who must not receive a private event (document: Event, `public`; readings C10). */
export interface Stranger extends CallerRow {
  /** Further callers with the same rights. `account` owns the private repository. */
  readonly alike: readonly FindCaller[]
}

type FindCaller = (t: CheckContext, account: string) => Promise<Caller>

function stranger(aspect: string, kind: CallerKind, ...alike: readonly FindCaller[]) {
  const own = {
    asks: ['private-repository', ...(alike.length > 0 ? (['token'] as const) : [])],
  } as const
  return {
    ...kind,
    aspect: `private-${aspect}`,
    title: `omits private events for ${kind.whom}`,
    own,
    alike,
  }
}

/** Permissions that open only the private events of the token's own user. */
const ownRights: Permissions = { repository: { metadata: 'read' }, user: { events: 'read' } }

const { anonymous, invented, outsider, member, organizationOwner, scopeless } = callerKinds

/** Callers without any relation to the private events. */
export const strangers: readonly Stranger[] = [
  stranger('anonymous', { whom: 'anonymous callers' }),
  stranger('outsider', outsider),
  stranger(
    'outsider-app',
    {
      whom: "an unrelated user's tokens of other kinds",
      token: token({ kind: 'app-user', of: 'outsider', permissions: ownRights }),
    },
    (t) => t.tokenFor({ kind: 'fine-grained', of: 'outsider', permissions: ownRights }),
    (t) => t.tokenFor({ kind: 'classic', of: 'outsider', scopes: [] }),
  ),
  // The whole feed may be refused to it (readings C10, F19).
  stranger('invented', invented),
]

const installation = {
  whom: 'an app installation, which belongs to no user',
  token: token({ kind: 'app-installation', permissions: {}, only: true }),
}

/** An installation without permissions, which receives no private event even of its own organization. */
export const bareInstallation = stranger('installation', installation)

const fellows: readonly Stranger[] = [
  stranger('member', { ...member, whom: 'a fellow member' }, (t, account) =>
    t.tokenFor({ kind: 'fine-grained', of: 'member', account, permissions: ownRights }),
  ),
  stranger('org-owner', organizationOwner, (t) =>
    t.tokenFor({ kind: 'app-user', of: 'org-owner', permissions: ownRights }),
  ),
  stranger('installation', installation, (t, account) =>
    t.tokenFor({
      kind: 'app-installation',
      account,
      permissions: { repository: { metadata: 'read' } },
    }),
  ),
]

const requirement = 'events.event.private'

/** Anonymous callers, unrelated users and invented tokens receive no private event. */
export function strangerChecks<Needs extends NeedMap>(
  feed: Feed<Needs>,
  known: KnownPrivate<Needs>,
) {
  return fellowChecks(feed, known, strangers)
}

/** Only a user receives their private events: members and owners of the same organization do not. */
export function fellowChecks<Needs extends NeedMap>(
  feed: Feed<Needs>,
  known: KnownPrivate<Needs>,
  whom = fellows,
) {
  return callerChecks(
    feed.with({ requirement }),
    { owner: optional(role('owner')) },
    whom,
    async (t, needs, { owner }, { caller, row }) => {
      if (owner) requireTwoUsers(t, caller, owner)
      const secret = await knownPrivate(t, known, needs, owner)
      const own = owner && open(t, feed, needs, owner)
      const isLabelled =
        caller !== inventedToken && strangers.includes(row) && row.alike.length === 0
      await expectNone(t, own, open(t, feed, needs, caller), secret, isLabelled)
      for (const find of row.alike) {
        const place = await known.repository(t, needs)
        const other = place && (await unlessUntested(find(t, place.owner)))
        if (other) await expectNone(t, own, open(t, feed, needs, other), secret)
      }
    },
  )
}

/** A feed of public events contains no private one, for any reader of this run. */
export function publicOnlyCheck<Needs extends NeedMap>(
  feed: Feed<Needs>,
  known: KnownPrivate<Needs>,
) {
  return feed.check(
    'private-never',
    'omits private events even for the owner',
    {
      requirement,
      conclusive: true,
      also: { owner: optional(role('owner')) },
      asks: ['private-repository'],
      schedule: 'afterwards',
    },
    async (t, needs, { owner }) => {
      await readOtherwise(t, open(t, feed, needs).request())
      const secret = await knownPrivate(t, known, needs, owner)
      for (const kind of matrixKinds) {
        const as = await unlessUntested(t.tokenFor({ kind, permissions: {}, only: true }))
        if (as)
          await unlessUntested(
            open(t, feed, needs, as).walk({ query: paged, enough: isBeyond(secret) }),
          )
      }
      expectOnlyPublic(t, await recordedEvents(t, feed, needs), secret)
    },
  )
}

/** No event is marked as private. */
export function expectNoneMarked(t: CheckContext, events: readonly Located[]) {
  const marked = events.find(({ value }) => isPrivate(value))
  if (!marked) return
  const { pointer, exchange } = marked
  t.deviation({
    expected: 'public events only',
    actual: 'an event marked public: false',
    pointer,
    exchanges: [exchange],
  })
}

/** Returns a test for a page that is older than every known private event, if the newest event comes first (readings C1). */
function isBeyond(known: readonly Located[]): (page: Exchange) => boolean {
  const due = known.filter(isPastLatency)
  return (page) => {
    const dates = itemsOf(page).map(({ value }) => createdAt(value))
    const isDescending = dates.every(
      (date, index) => index === 0 || date <= Number(dates[index - 1]),
    )
    return (
      isDescending &&
      due.length > 0 &&
      due.every(({ value }) => createdAt(value) > Number(dates.at(-1)))
    )
  }
}

/** The walk of a stranger begins at an explicit page. */
const paged = { page: 1 }

/**
 * The responses to a stranger right after the owner's, whose page a cache may keep, and the pages before. Empty if the owner
 * receives no private event.
 */
export async function afterOwner(t: CheckContext, own: Listing | undefined, list: Listing) {
  const listed = own && (await unlessUntested(own.walk()))
  const last = listed?.items.findLastIndex(({ value }) => isPrivate(value)) ?? -1
  if (!own || last < 0) return []
  // The page with the last private event, if the newer version is judged.
  const query = isLatest(t) ? { per_page: 10, page: Math.floor(last / 10) + 1 } : {}
  await t.send(own.request(query))
  const response = await t.send(list.request(query))
  // A target may serve pages before the first one, other names and other media types by other code (readings A2).
  const odd = { ...list.request({ page: 0 }), extra: 'for page 0' }
  return [response, ...(await readOtherwise(t, odd, [isLatest(t) ? 'bare' : 'renamed']))]
}

/**
 * Expects no private event for a caller, right after the owner and on a later page. With `recorded`, the other responses to the
 * caller count as well. The caller may be refused.
 */
async function expectNone(
  t: CheckContext,
  own: Listing | undefined,
  list: Listing,
  known: readonly Located[],
  recorded = false,
) {
  const pages = await afterOwner(t, own, list)
  const { refused } = await t.read(list.request({ ...paged, per_page: list.paging.max }))
  const walk = refused ? undefined : await list.walk({ query: paged, enough: isBeyond(known) })
  const [page] = walk?.pages ?? []
  if (page && recorded) {
    const request = list.request(isLatest(t) ? { per_page: 10, page: 2 } : {})
    await readOtherwise(t, { ...request, accept: null }, ['renamed'])
    const isAlike = (each: Exchange) =>
      each.request.as === request.as.label && addressOf(each) === addressOf(page)
    pages.push(...t.recorded(request.endpoint).filter(isAlike))
  }
  expectOnlyPublic(t, [...(walk?.items ?? []), ...pages.flatMap(itemsOf)], known)
}

/** No event that is marked as private, and none that is known to be private, in spite of its mark. */
function expectOnlyPublic(t: CheckContext, items: readonly Located[], known: readonly Located[]) {
  expectNoneMarked(t, items)
  const secret = new Set(known.map(({ value }) => eventId(value)))
  const leak = items.find(({ value }) => secret.has(eventId(value)))
  if (leak) {
    const { value, pointer, exchange } = leak
    t.deviation({
      expected: 'public events only',
      actual: `an event of ${repositoryName(value)}`,
      pointer,
      exchanges: [exchange],
    })
  }
  if (known.length === 0)
    t.untested('no private event is known that the feed could reveal', 'private-repository')
  t.examined(Math.max(1, items.length))
}

/** A feed without a requirement serves every user, and tokens without any permission (readings C12). */
export function openFeedChecks<Needs extends NeedMap>(feed: Feed<Needs>) {
  const opened = feed.with({ requirement: 'events.access.none' })
  return callerChecks(opened, {}, [otherUser, ...bare], serves(feed))
}

const expects = 'granted'

const otherUser = {
  ...outsider,
  aspect: 'outsider-served',
  title: 'includes public events for another user',
  expects,
} as const

/** The tokens without any permission. */
const bare: readonly CallerRow[] = [
  { ...scopeless, aspect: 'bare-classic', expects },
  ...matrixKinds.map(
    (kind) =>
      ({
        aspect: `bare-${kind}`,
        whom: `a token of kind ${kind} without any permission`,
        expects,
        token: token({ kind, permissions: {}, only: true }),
        own: {
          matrix: { owner: 'feeds', category: 'no permission', kind, access: 'none', expects },
        },
      }) as const,
  ),
]

/** The feed of a public repository is served without authentication, and to every user (document: Authentication, rule 7). */
export function publicRepositoryChecks<Needs extends NeedMap>(feed: Feed<Needs>) {
  const visited = feed.with({ requirement: 'events.access.repository-anonymous' })
  const tokenless = { ...anonymous, aspect: 'anonymous', expects } as const
  return callerChecks(visited, {}, [tokenless, otherUser], serves(feed))
}

/** A caller receives the public events of the usual reader. */
function serves<Needs extends NeedMap>(feed: Feed<Needs>) {
  return async (
    t: CheckContext,
    needs: Resolved<Needs>,
    _: unknown,
    { caller }: { readonly caller: Caller },
  ) => {
    const [own, list] = [open(t, feed, needs), open(t, feed, needs, caller)]
    await own.page()
    // Other checks judge the conditional requests and the pages of callers without a token.
    const response = caller.secret
      ? await expectGranted(t, list.request(), { exactly: 200 })
      : await t.read(list.request())
    t.expect(response).status(200).array()
    await expectPublic(t, list, response, own)
    if (caller.secret) await unlessUntested(expectSizes(t, list, { usual: own }))
  }
}
