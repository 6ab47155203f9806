import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject, type Located } from '../../../src/suite/located.ts'
import { need, optional, role } from '../../../src/suite/needs.ts'
import { bracketed } from '../../../src/suite/observe.ts'
import { atPointer, stepsOf } from '../../../src/text/data.ts'
import { embeddedRemovals, removedFieldChecks } from '../../common/removed-fields.ts'
import { mediaTypeCheck, recordedObjects } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { keepsUnreadCheck } from '../common/keeps-unread.ts'
import { near, threadsOnPage } from '../common/listed-threads.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import { threadShapeChecks } from '../common/thread-shape.ts'
import * as known from '../common/threads.ts'
import { reasonChecks } from './reasons.ts'

const endpoint = endpoints.getThread
const about = { id: 'notifications.thread', endpoint, resource: 'thread' } as const
const thread = operation({ id: about.id, endpoint, needs: { owner: role('owner') }, level: 'must' })

/** One notification thread. */
export default thread.suite([
  thread.check(
    'status',
    'returns 200 with the thread whose id is listed',
    'notifications.thread.get',
    async (t, { owner }) => {
      const { value } = await known.anyListed(t, owner)
      const response = await known.readThread(t, owner, String(value.id))
      // Another program may have marked it as done (readings D12).
      if (response.status === 404 && !(await near(new Listing(t, known.inboxOf(owner)), value)))
        t.untested('the thread has left the inbox')
      const isSame = isObject(response.json) && String(response.json.id) === String(value.id)
      t.expect(response).status(200).satisfy(`the thread ${value.id}`, isSame, 'another body')
    },
  ),
  mediaTypeCheck(thread, async (t, { owner }) => [(await readListed(t, owner)).exchange]),
  ...threadShapeChecks(thread.with({ schedule: 'afterwards' }), async (t, { owner }) => [
    await readListed(t, owner),
    ...recordedObjects(t, endpoint),
  ]),
  thread.check(
    'identity',
    'returns the thread with the same data as in the list',
    {
      requirement: 'notifications.thread.same',
      level: 'should',
      also: { secret: optional(need('private-repository')) },
    },
    (t, { owner }, { secret }) =>
      expectSameAsListed(t, owner, secret && `${secret.owner}/${secret.repo}`.toLowerCase()),
  ),
  ...othersThreadChecks(about),
  ...reasonChecks(thread),
  keepsUnreadCheck(thread, 'keeps an unread thread unread when it is read by its id', {
    read: async (t, owner, thread_id) => t.send(known.aboutThread(endpoint, thread_id, owner)),
  }),
  ...removedFieldChecks(thread, {
    fields: [embeddedRemovals.hasDownloads],
    peers: known.threadEndpoints,
    read: (t, { owner }) => readListed(t, owner),
  }),
  ...accessChecks({
    ...about,
    needs: { thread: need('shared-thread') },
    address: async (_, { thread: { thread_id } }) => ({ params: { thread_id } }),
  }),
])

/** A thread of the list, read by its id and shared by all checks. */
async function readListed(t: CheckContext, owner: Caller) {
  const { value } = await known.anyListed(t, owner)
  const exchange = await t.shared('listed thread', (shared) =>
    known.readThread(shared, owner, String(value.id)),
  )
  if (exchange.status !== 200)
    t.untested(`the listed thread ${value.id} could not be read (${exchange.status})`)
  return { value: exchange.json, exchange, pointer: '', id: String(value.id) }
}

/** Compares threads of two types on a first page, one of a later page, and a private one in both lists. A wrong list may call `secret` public. */
async function expectSameAsListed(t: CheckContext, owner: Caller, secret: string | undefined) {
  const isPrivate = ({ value }: known.Thread) =>
    known.repositoryName(value)?.toLowerCase() === secret || known.isPrivate(value)
  const list = new Listing(t, known.inboxOf(owner))
  const { pages } = await list.walk({ query: known.everything })
  const later = pages.findLastIndex(
    (page, index) => index > 0 && known.threadsOn(page).some(isPrivate),
  )
  const number = later > 0 ? later + 1 : pages.length
  const read = async () => {
    const threads = known.threadsOn(await list.freshPage(known.everything))
    const typeOf = ({ value }: known.Thread) => atPointer(value, '/subject/type')
    const other = threads.findIndex((each, _, [first = each]) => typeOf(each) !== typeOf(first))
    const places = new Set([0, other > 0 ? other : threads.length >> 1, threads.length - 1])
    // The list may have become shorter: a page past its end may be refused (readings A6).
    const more = number > 1 ? await threadsOnPage(list, { ...known.everything, page: number }) : []
    const special = [...threads, ...more].find(isPrivate) ?? threads[0]
    if (!special) return t.untested('the inbox is empty', 'unread-thread')
    const again = await near(
      new Listing(t, known.repositoryInboxAround(special.value, owner)),
      special.value,
    )
    return [
      ...threads.filter((_, index) => places.has(index)),
      special,
      ...more.slice(-1),
      ...(again ? [again] : []),
    ]
  }
  const factsOfAll = (threads: readonly known.Thread[]) => threads.map(factsOf).join()
  const look = await bracketed(t, {
    read,
    probe: (listed) =>
      Promise.all(listed.map(({ value }) => known.readThread(t, owner, String(value.id)))),
    same: (a, b) => factsOfAll(a) === factsOfAll(b),
    expected: (listed, singles) => factsOfAll(listed) === singles.map(factsIn).join(),
  })
  const { frame, result } = look ?? t.untested('the list changed during each comparison')
  for (const [index, listed] of frame.entries()) {
    const single = result[index] ?? listed.exchange
    const expected = factsOf(listed)
    const actual = factsIn(single)
    const other = actual.filter((fact) => !expected.includes(fact))
    const wanted = expected.filter((fact) => !actual.includes(fact))
    t.expect(single, listed.exchange).satisfy(
      `${wanted.join(', ')}, as in the list`,
      other.length === 0,
      other.join(', '),
    )
  }
}

/** The data in the response to a request for one thread, or its status. */
const factsIn = ({ ok, status, json }: Located['exchange']) =>
  ok && isObject(json) ? factsOf({ value: json }) : [`${status}`]

/** The members that two views of one thread have in common. Another check judges their types. */
const commonMembers = [
  '/reason',
  '/unread',
  '/updated_at',
  '/subject/title',
  '/subject/type',
  '/subject/url',
  '/repository/id',
  '/repository/full_name',
  '/repository/private',
  '/repository/fork',
]

/** The common members by their names; a missing one is undefined. */
const factsOf = ({ value }: Pick<known.Thread, 'value'>) =>
  commonMembers.map((pointer) => `${stepsOf(pointer).at(-1)} ${atPointer(value, pointer)}`)
