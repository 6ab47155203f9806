import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { recordedObjects } from '../../common/recorded.ts'
import { embeddedRemovals } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { jsonMediaType } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { keepsUnreadCheck } from '../common/keeps-unread.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import { threadShapeChecks } from '../common/thread-shape.ts'
import { aboutThread, anyListed, currentThread, everything, inboxOf, threadsOn } from '../common/threads.ts'
import { reasonChecks } from './reasons.ts'

const id = 'notifications.thread'
const endpoint = endpoints.getThread
const needs = { owner: role('owner') }

/** One notification thread. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    check({
      id: `${id}.status`,
      requirement: 'notifications.thread.get',
      level: 'must',
      title: 'returns 200 with the thread whose id is listed',
      needs,
      run: async (t, { owner }) => {
        const { value } = await anyListed(t, owner)
        const answer = await t.read(aboutThread(endpoint, String(value.id), owner))
        t.expect(answer).status(200)
        const same = isObject(answer.json) && String(answer.json.id) === String(value.id)
        if (!same) t.deviation({ expected: `the thread ${String(value.id)}`, actual: 'another body', exchanges: [answer] })
      },
    }),
    check({
      id: `${id}.media-type`,
      requirement: 'conventions.json',
      level: 'must',
      title: 'sends a JSON media type as Content-Type',
      needs,
      run: async (t, { owner }) => {
        t.expect((await readListed(t, owner)).exchange).header('content-type', jsonMediaType)
      },
    }),
    check({
      id: `${id}.no-redirect`,
      requirement: 'notifications.no-redirect',
      level: 'should',
      title: 'returns 200 at the documented path, without a redirect',
      needs,
      run: async (t, { owner }) => {
        const { id: thread_id } = await readListed(t, owner)
        t.expect(await t.read({ ...aboutThread(endpoint, thread_id, owner), direct: true })).status(200)
      },
    }),
    check({
      id: `${id}.without-accept`,
      requirement: 'conventions.accept-optional',
      level: 'must',
      title: 'accepts a request without an Accept header',
      needs,
      run: async (t, { owner }) => {
        const { exchange, id: thread_id } = await readListed(t, owner)
        t.expect(exchange).status(200)
        t.expect(await t.read({ ...aboutThread(endpoint, thread_id, owner), accept: null })).status(200)
      },
    }),
    ...threadShapeChecks({
      id,
      needs,
      items: async (t, { owner }) => [await readListed(t, owner), ...recordedObjects(t, endpoint)],
      schedule: 'afterwards',
    }),
    check({
      id: `${id}.identity`,
      requirement: 'notifications.thread.same',
      level: 'should',
      title: 'returns the thread with the same data as in the list',
      needs,
      run: async (t, { owner }) => sameAsListed(t, owner),
    }),
    ...othersThreadChecks({ id, endpoint, resource: 'thread' }),
    ...reasonChecks(id),
    keepsUnreadCheck(id, 'keeps an unread thread unread when it is read by its id', {
      read: async (t, owner, thread_id) => t.send(aboutThread(endpoint, thread_id, owner)),
    }),
    ...removedFieldChecks({
      id,
      endpoint,
      needs,
      fields: [embeddedRemovals.hasDownloads],
      read: async (t, { owner }) => readListed(t, owner),
    }),
    ...accessChecks({
      id,
      endpoint,
      of: 'owner',
      resource: 'thread',
      needs: { thread: need('shared-thread') },
      address: async (_, { thread }) => ({ params: { thread_id: thread.thread_id } }),
    }),
  ],
})

/** A thread that the list shows, read by its id and shared by all checks. */
async function readListed(t: CheckContext, owner: Caller) {
  const { value } = await anyListed(t, owner)
  const exchange = await t.read(aboutThread(endpoint, String(value.id), owner))
  if (exchange.status !== 200) t.untested(`the listed thread ${String(value.id)} could not be read (${exchange.status})`)
  return { value: exchange.json, exchange, pointer: '', id: String(value.id) }
}

async function sameAsListed(t: CheckContext, owner: Caller): Promise<void> {
  const list = new Listing(t, inboxOf(owner))
  const first = async () => threadsOn(await list.freshPage(everything))[0] ?? t.untested('the inbox is empty', 'unread-thread')
  for (let tries = 0; tries < comparisons; tries += 1) {
    const before = await first()
    const alone = await currentThread(t, owner, String(before.value.id))
    if (facts(before.value) !== facts((await first()).value)) continue
    if (facts(alone.value) === facts(before.value)) return t.examined(1)
    const expected = `as in the list: ${facts(before.value)}`
    t.deviation({ expected, actual: facts(alone.value), exchanges: [before.exchange, alone.exchange] })
  }
  t.untested('the list changed during each comparison')
}

/** How often the two views are compared while the list moves, as it does beside other checks. */
const comparisons = 3

/** What must not differ between two views of one thread. */
function facts({ reason, unread, updated_at, repository, subject }: JsonObject): string {
  const repositoryId = isObject(repository) ? repository.id : undefined
  const title = isObject(subject) ? subject.title : undefined
  return JSON.stringify({ reason, unread, updated_at, repositoryId, title })
}
