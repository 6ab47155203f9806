import { anonymous, type Caller } from '../../src/http/caller.ts'
import type { Permissions, TokenKind } from '../../src/spec/needs.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing } from '../../src/suite/listing.ts'
import { type NeedMap, need, optional, type Resolved, role, token } from '../../src/suite/needs.ts'
import { expectServed } from '../common/access.ts'
import { type Feed, isPrivate, open, repositoryName } from './feed.ts'
import { isOf, type RepositoryName } from './known-events.ts'

/** A private repository whose events must not show; the flags are judged without it too. */
const secret = optional(need('private-repository'))

/** Nobody and a stranger see no private event (document: Event, `public`; readings C10). */
export function strangerChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const stranger = <Who extends NeedMap>(aspect: string, title: string, who: Who, caller: (needs: Resolved<Who>) => Caller) =>
    check({
      id: `${feed.id}.${aspect}`,
      requirement: 'events.event.private',
      level: 'must',
      title,
      needs: { ...feed.needs, ...who, secret } as NeedMap,
      conclusive: true,
      run: async (t, needs) => {
        const list = open(t, feed, needs as Resolved<Needs>, caller(needs as Resolved<Who>))
        await onlyPublic(t, list, (needs as { secret?: RepositoryName }).secret)
      },
    })
  return [
    stranger('private-anonymous', 'omits private events for anonymous callers', {}, () => anonymous),
    stranger(
      'private-outsider',
      'omits private events for an unrelated user',
      { outsider: role('outsider') },
      ({ outsider }) => outsider,
    ),
  ]
}

/** A feed of public events holds no private one, whoever reads it. */
export function publicOnlyCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.private-never`,
    requirement: 'events.event.private',
    level: 'must',
    title: 'omits private events even for the owner',
    conclusive: true,
    needs: { ...feed.needs, secret } as NeedMap,
    run: async (t, needs) =>
      onlyPublic(t, open(t, feed, needs as Resolved<Needs>), (needs as { secret?: RepositoryName }).secret),
  })
}

/** A feed that the document serves without authentication, as far as the level says. */
export function anonymousCheck<const Needs extends NeedMap>(feed: Feed<Needs>, level: 'must' | 'should'): Check {
  return check({
    id: `${feed.id}.anonymous`,
    requirement: level === 'must' ? 'events.access.repository-anonymous' : 'events.access.none',
    level,
    title: 'accepts a request without a token',
    needs: feed.needs,
    run: async (t, needs) => {
      await open(t, feed, needs).page()
      t.expect(await t.read(open(t, feed, needs, anonymous).request()))
        .status(200)
        .array()
    },
  })
}

const kinds: readonly TokenKind[] = ['app-user', 'app-installation', 'fine-grained']
const nothing: Permissions = {}

/** A feed that the document marks as needing no permission serves tokens that hold none (readings C12). */
export function bareTokenChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  return kinds.map((kind) =>
    check({
      id: `${feed.id}.bare-${kind}`,
      matrix: { owner: 'feeds', category: 'no permission', kind, access: 'none', expects: 'granted' },
      requirement: 'events.access.none',
      level: 'must',
      title: `accepts a token of kind ${kind} without any permission`,
      needs: { ...feed.needs, bare: token({ kind, permissions: nothing, only: true }) } as NeedMap,
      run: async (t, needs) => {
        const { bare } = needs as { bare: Caller }
        await open(t, feed, needs as Resolved<Needs>).page()
        t.expect(await expectServed(t, open(t, feed, needs as Resolved<Needs>, bare).request(), 200)).array()
      },
    }),
  )
}

/** No event that is marked as private, and none of a repository that is known to be private, however it is marked. */
async function onlyPublic(t: CheckContext, list: Listing, secret: RepositoryName | undefined): Promise<void> {
  const { items } = await list.walk()
  const events = t.expectAll(items, 'event')
  events.satisfy(
    'public events only',
    (event) => !isPrivate(event),
    () => 'an event marked public: false',
  )
  if (secret) events.satisfy('no event of a private repository', (event) => !isOf(event, secret), repositoryName)
}
