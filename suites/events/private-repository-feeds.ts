import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { itemsOf } from '../../src/suite/located.ts'
import { type NeedMap, need, type Resolved, role, token } from '../../src/suite/needs.ts'
import { inventedToken } from '../common/access.ts'
import { type Feed, isPrivate, open, openAt } from './feed.ts'
import { type RepositoryName, repositoryEvents } from './known-events.ts'

/** The feed (and the network) of a private repository shows no event to nobody and to strangers (readings C10). */
export function closedFeedChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const claim = { requirement: 'events.event.private', level: 'must', needs: feed.needs, conclusive: true } as const
  const also = { owner: role('owner'), secret: need('private-repository') }
  return [
    check({
      ...claim,
      id: `${feed.id}.private-anonymous`,
      title: 'omits private events for anonymous callers',
      also,
      run: async (t, needs, { owner, secret }) => showsNoPrivate(t, feed, needs, { as: anonymous, owner, secret }),
    }),
    check({
      ...claim,
      id: `${feed.id}.private-outsider`,
      title: 'omits private events for an unrelated user',
      also: { ...also, outsider: role('outsider') },
      run: async (t, needs, { owner, secret, outsider }) => showsNoPrivate(t, feed, needs, { as: outsider, owner, secret }),
    }),
    check({
      ...claim,
      id: `${feed.id}.private-outsider-app`,
      title: "omits private events for an unrelated user's app user token with Metadata",
      also: { ...also, outsider: token({ kind: 'app-user', of: 'outsider', permissions: { repository: { metadata: 'read' } } }) },
      run: async (t, needs, { owner, secret, outsider }) => showsNoPrivate(t, feed, needs, { as: outsider, owner, secret }),
    }),
    check({
      ...claim,
      id: `${feed.id}.private-invented`,
      title: 'omits private events for a token that was never issued',
      also,
      run: async (t, _, { owner, secret }) => staysClosed(t, feed, { as: inventedToken, owner, secret }),
    }),
  ]
}

interface Stranger {
  readonly as: Caller
  readonly owner: Caller
  readonly secret: RepositoryName
}

async function showsNoPrivate<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
  stranger: Stranger,
): Promise<void> {
  const { items } = await open(t, feed, needs, stranger.as).walk()
  for (const { value, pointer, exchange } of items) {
    if (!isPrivate(value)) continue
    t.deviation({ expected: 'public events only', actual: 'an event marked public: false', pointer, exchanges: [exchange] })
  }
  await staysClosed(t, feed, stranger)
}

/** The feed of the private repository itself. */
async function staysClosed<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  { as, owner, secret }: Stranger,
): Promise<void> {
  const known = await repositoryEvents(t, secret, owner)
  if (known.length === 0) t.untested('the private repository has no event that could be revealed', 'private-repository')
  const answer = await t.read(openAt(t, feed, { params: { ...secret }, as }).request())
  const revealed = answer.ok ? itemsOf(answer).length : 0
  if (revealed > 0 || answer.broken) {
    const actual = revealed > 0 ? `${answer.status} with ${revealed} events` : String(answer.status)
    t.deviation({ expected: 'no event of the private repository', actual, exchanges: [answer] })
  }
  if (!answer.ok && !answer.refused) t.untested(`the response was ${answer.status}, which neither grants nor refuses access`)
  t.examined(1)
}
