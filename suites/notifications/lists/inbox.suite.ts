import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing, type Query } from '../../../src/suite/listing.ts'
import { distinctBodies } from '../../../src/suite/located.ts'
import { role } from '../../../src/suite/needs.ts'
import { remembered } from '../../../src/text/data.ts'
import { accessChecks } from '../common/access.ts'
import { lasting } from '../common/listed-threads.ts'
import { isWithoutEffect } from '../common/read-state.ts'
import {
  everything,
  inboxOf,
  instantOf,
  objectsAmong,
  type Thread,
  threadsOn,
} from '../common/threads.ts'
import { listChecks } from './every-list.ts'
import { everyFilter } from './modification.ts'

const endpoint = endpoints.listNotifications
const needs = { owner: role('owner') }
const inbox = operation({ id: 'notifications.inbox', endpoint, needs, level: 'must' })
const order = inbox.with({ requirement: 'notifications.lists.order', schedule: 'afterwards' })
const at = ({ owner }: { owner: Caller }) => inboxOf(owner)

const orders = [
  ['order', 'orders threads by their last update, newest first, over all pages', {}],
  ['order-all', 'orders threads newest first with all=true as well', everything],
  [
    'order-since',
    'orders threads newest first with since as well',
    { ...everyFilter, participating: false },
  ],
  [
    'order-filtered',
    'orders threads newest first with before and participating=true as well',
    { ...everyFilter, all: false },
  ],
] as const

/** The user's own notifications. */
export default inbox.suite([
  ...listChecks({ ...inbox, endpoint, at, around: (_, owner) => inboxOf(owner) }),
  ...orders.map(([aspect, title, query]) =>
    order.check(aspect, title, (t, { owner }) => expectNewestFirst(t, owner, query)),
  ),
  ...(['since', 'before'] as const).map((name) =>
    inbox.check(
      `malformed-${name}`,
      `returns 422 for a value of ${name} that is not a timestamp`,
      { requirement: 'notifications.lists.validation', level: 'should' },
      async (t, { owner }) => {
        const list = new Listing(t, inboxOf(owner))
        await list.page()
        t.expect(await t.read(list.request({ [name]: 'not-a-timestamp' }))).status(422)
      },
    ),
  ),
  ...accessChecks({
    id: 'notifications.inbox',
    endpoint,
    resource: 'thread',
    needs: {},
    address: async () => ({}),
  }),
])

/** The shared walk decides if it and every page of the run are in order, else later ones. */
async function expectNewestFirst(t: CheckContext, owner: Caller, query: Query) {
  const list = new Listing(t, inboxOf(owner))
  const { items } = await list.walk({ query })
  const threads = objectsAmong(items)
  if (threads.length < 2) t.untested('the list contains fewer than two threads', 'unread-thread')
  if (misplaced(threads)[0] || distinctBodies(t.recorded(endpoint)).some(isOutOfOrder)) {
    const walk = async () =>
      misplaced(objectsAmong((await list.walk({ fresh: true, query })).items))
    const wrong = await lasting(t, 'the threads to be in order', walk)
    if (wrong) {
      const { value, pointer, exchange } = wrong
      t.deviation({
        expected: 'updated_at in descending order',
        actual: `${value.updated_at} after an earlier time`,
        pointer,
        exchanges: [exchange],
      })
    }
  }
  // The control of a filter: it changes the list. Otherwise the order with it is the order without it (readings G15).
  const walk = (by: Query, fresh: boolean) => list.walk({ fresh, query: by })
  if (Object.keys(query).length > 0 && (await isWithoutEffect(walk, query)))
    t.untested('the list is the same without these parameters', 'read-thread')
  t.examined(threads.length)
}

/** Every check of the order reads all pages of the run. */
const disorder = new WeakMap<Exchange, boolean>()

const isOutOfOrder = (page: Exchange) =>
  remembered(disorder, page, () => misplaced(threadsOn(page)).length > 0)

/** The threads that were updated later than the one before them. */
function misplaced(threads: readonly Thread[]) {
  const instant = (index: number) => instantOf(threads[index]?.value.updated_at)
  return threads.filter((_, index) => index > 0 && instant(index) > instant(index - 1))
}
