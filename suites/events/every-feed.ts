import type { Endpoint, Paging } from '../../src/spec/endpoint.ts'
import { type Check, check } from '../../src/suite/check.ts'
import { type ListAddress, Listing } from '../../src/suite/listing.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { entityTag } from '../../src/target/polling.ts'
import { pagingChecks } from '../common/paging.ts'
import { pollingChecks } from '../common/polling.ts'
import { servedChecks } from '../common/served.ts'

/** One of the nine event feeds, and how to address it. */
export interface Feed<Needs extends NeedMap> {
  /** `events.<operation>`, the beginning of the ids of its checks. */
  readonly id: string
  readonly endpoint: Endpoint & { readonly paging: Paging }
  readonly needs: Needs
  readonly at: (needs: Resolved<Needs>) => Omit<ListAddress, 'endpoint'>
}

/** What the document asks of every event feed. */
export function feedChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const { id, needs, endpoint } = feed
  const at = (resolved: Resolved<Needs>): ListAddress => ({ ...feed.at(resolved), endpoint })
  const list = { id, needs, at, paging: endpoint.paging }

  return [
    ...servedChecks({ ...list, requirement: 'events.feeds.status' }),
    check({
      id: `${id}.event-shape`,
      requirement: 'events.event.shape',
      level: 'must',
      title: 'every event has the documented fields with their types',
      needs,
      run: async (t, resolved) => {
        const { items } = await new Listing(t, at(resolved)).walk()
        t.expectAll(items, 'event').match('event')
      },
    }),
    ...pagingChecks(list),
    ...pollingChecks({ ...list, validator: entityTag, requirement: 'polling.etag' }),
  ]
}
