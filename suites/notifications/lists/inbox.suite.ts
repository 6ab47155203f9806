import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing, type Query, sameIdSet } from '../../../src/suite/listing.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { role } from '../../../src/suite/needs.ts'
import { accessChecks } from '../common/access.ts'
import { everything, inboxOf, instantOf, objectsAmong, timestamp } from '../common/threads.ts'
import { listChecks } from './every-list.ts'

const id = 'notifications.inbox'
const endpoint = endpoints.listNotifications
const needs = { owner: role('owner') }

/** The user's own notifications. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    ...listChecks({ id, endpoint, needs, at: ({ owner }) => inboxOf(owner), around: (_, owner) => inboxOf(owner) }),
    check({
      id: `${id}.order`,
      requirement: 'notifications.lists.order',
      level: 'must',
      title: 'orders threads by their last update, newest first, over all pages',
      needs,
      run: async (t, { owner }) => newestFirst(t, owner, {}),
    }),
    check({
      id: `${id}.order-all`,
      requirement: 'notifications.lists.order',
      level: 'must',
      title: 'orders threads newest first with all=true as well',
      needs,
      run: async (t, { owner }) => newestFirst(t, owner, everything),
    }),
    check({
      id: `${id}.order-since`,
      requirement: 'notifications.lists.order',
      level: 'must',
      title: 'orders threads newest first with since as well',
      needs,
      run: async (t, { owner }) => newestFirst(t, owner, { ...everything, since: '2000-01-01T00:00:00Z' }),
    }),
    check({
      id: `${id}.order-filtered`,
      requirement: 'notifications.lists.order',
      level: 'must',
      title: 'orders threads newest first with before and with participating=true as well',
      needs,
      run: async (t, { owner }) => {
        await newestFirst(t, owner, { ...everything, participating: true })
        await newestFirst(t, owner, { ...everything, before: await afterAll(t, owner) })
      },
    }),
    ...(['since', 'before'] as const).map((name) =>
      check({
        id: `${id}.malformed-${name}`,
        requirement: 'notifications.lists.validation',
        level: 'should',
        title: `returns 422 for a value of ${name} that is not a timestamp`,
        needs,
        run: async (t, { owner }) => {
          const list = new Listing(t, inboxOf(owner))
          await list.page()
          t.expect(await t.read(list.request({ [name]: 'not-a-timestamp' }))).status(422)
        },
      }),
    ),
    ...accessChecks({ id, endpoint, of: 'owner', resource: 'thread', needs: {}, address: async () => ({}) }),
  ],
})

/** An instant after the update of every thread that is listed. */
async function afterAll(t: CheckContext, owner: Caller): Promise<string> {
  const [newest] = objectsAmong((await new Listing(t, inboxOf(owner)).walk({ query: everything })).items)
  const updated = instantOf(newest?.value.updated_at)
  return Number.isNaN(updated) ? t.untested('the inbox is empty', 'unread-thread') : timestamp(updated + 60_000)
}

/** The walk that all checks share decides where it is in order; else the list is walked again while it stands still. */
async function newestFirst(t: CheckContext, owner: Caller, query: Query): Promise<void> {
  const list = new Listing(t, inboxOf(owner))
  const threads = objectsAmong((await list.walk({ query })).items)
  if (threads.length < 2) t.untested('the list contains fewer than two threads', 'unread-thread')
  if (firstMisplaced(threads)) {
    const frame = { ...query, per_page: list.paging.max }
    const { result } = await list.bracket(frame, () => list.walk({ fresh: true, query }))
    const found = firstMisplaced(objectsAmong(result.items))
    const expected = 'updated_at in descending order'
    if (found)
      t.deviation({
        expected,
        actual: `${found.value.updated_at} after an earlier time`,
        pointer: found.pointer,
        exchanges: [found.exchange],
      })
  }
  await changesTheList(t, list, query)
  t.examined(threads.length)
}

/** The control of a filter: where it has no effect, the order with it is the one without it (readings G15). */
async function changesTheList(t: CheckContext, list: Listing, query: Query): Promise<void> {
  if (Object.keys(query).length === 0) return
  const [filtered, usual] = [await list.walk({ query }), await list.walk()]
  if (sameIdSet(filtered.ids, usual.ids)) t.untested('the list is the same without these parameters', 'read-thread')
}

/** The first thread that was updated later than the one before it. */
function firstMisplaced(threads: readonly Located<JsonObject>[]): Located<JsonObject> | undefined {
  const instant = (index: number) => instantOf(threads[index]?.value.updated_at)
  return threads.find((_, index) => index > 0 && instant(index) > instant(index - 1))
}
