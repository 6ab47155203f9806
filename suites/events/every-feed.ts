import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing } from '../../src/suite/listing.ts'
import { type NeedMap, optional, type Resolved, role } from '../../src/suite/needs.ts'
import { entityTag } from '../../src/suite/poll-session.ts'
import { pagingChecks } from '../common/paging.ts'
import { anonymousPollingCheck, pollingChecks } from '../common/polling.ts'
import { embeddedRemovals } from '../common/removable-objects.ts'
import { removedFieldChecks } from '../common/removed-fields.ts'
import { servedChecks } from '../common/served.ts'
import { anonymousPagingCheck } from './anonymous-paging.ts'
import { eventShapeChecks } from './event-shape.ts'
import { type Feed, open } from './feed.ts'

/** What the document asks of every event feed, whatever it shows. */
export function feedChecks<const Needs extends NeedMap>(
  feed: Feed<Needs>,
  { excuses = [] }: { excuses?: readonly number[] } = {},
): Check[] {
  const { id, needs, endpoint } = feed
  const list = { id, needs, at: (resolved: Resolved<Needs>) => ({ ...feed.at(resolved), endpoint }), paging: endpoint.paging }
  return [
    ...servedChecks({ ...list, requirement: 'events.feeds.status', excuses, sized: endpoint.paging.max }),
    ...eventShapeChecks(feed),
    ...pagingChecks(list),
    ...pollingChecks({ ...list, validator: entityTag, requirement: 'polling.etag', seen: endpoint }),
    ...(feed.ownerOnly ? [] : [anonymousPollingCheck({ ...list, validator: entityTag, requirement: 'polling.etag' })]),
    ...(feed.ownerOnly ? [] : [anonymousPagingCheck(feed)]),
    unquotedValidatorCheck(feed),
    newEventCheck(feed),
    ...removedFieldChecks({
      id,
      endpoint,
      needs,
      fields: Object.values(embeddedRemovals),
      read: (t, resolved) => open(t, feed, resolved).walk(),
    }),
  ]
}

/** Read as somebody else than the usual reader, so that no poll interval is due. */
function unquotedValidatorCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.unquoted-validator`,
    requirement: 'polling.etag-quotes',
    level: 'should',
    title: 'ignores an ETag that is sent back without its quotes',
    needs: feed.needs,
    slow: true,
    also: { outsider: optional(role('outsider')) },
    run: async (t, needs, { outsider = anonymous }) =>
      quotesMatter(t, open(t, feed, needs, feed.ownerOnly ? undefined : outsider)),
  })
}

async function quotesMatter(t: CheckContext, list: Listing): Promise<void> {
  const page = await list.freshPage()
  const bare = /^(?:W\/)?"(.+)"$/.exec(page.header('ETag') ?? '')?.[1]
  const answer = await t.pollAgain(list.request(), entityTag, bare ?? t.untested('the response has no quoted ETag'))
  if (answer.status === 304)
    t.deviation({ expected: '200 for a validator without quotes', actual: '304', exchanges: [page, answer] })
  t.examined(1)
}

/** Judged when everything else has ended, since a new event moves other feeds too. */
function newEventCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.old-validator`,
    requirement: 'polling.etag',
    level: 'must',
    title: 'returns 200 for a stale ETag after a new event',
    needs: feed.needs,
    asks: ['new-event'],
    schedule: 'afterwards',
    writes: true,
    run: async (t, needs) => staleTagIsRefused(t, open(t, feed, needs)),
  })
}

async function staleTagIsRefused(t: CheckContext, list: Listing): Promise<void> {
  const before = await list.freshPage()
  const tag = before.header('ETag') ?? t.untested('the response has no ETag to send back')
  await t.ask('new-event', { feed: list.path })
  const changed = async (): Promise<Exchange | undefined> => {
    const page = await list.freshPage()
    return list.same(before, page) ? undefined : page
  }
  const after = await t.eventually('a new event to appear', changed)
  if (!after)
    t.untested(`no new event appeared on page 1 of the feed, the only one that was looked at, within ${t.maxWaitSeconds} s`)
  t.expect(await t.pollAgain(list.request(), entityTag, tag))
    .status(200)
    .array()
}
