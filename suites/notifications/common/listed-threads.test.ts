import { describe, expect, test } from 'vitest'
import { anonymous } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { json, scriptedTarget } from '../../../src/http/testing/scripted-target.ts'
import { createContext } from '../../../src/run/judge/context.ts'
import { openSession } from '../../../src/run/judge/testing/session.ts'
import { type ListAddress, Listing } from '../../../src/suite/listing.ts'
import { unreadShown } from '../marking/inbox-fixture.ts'
import { bounds, findLeft, findListed, listedTogether } from './listed-threads.ts'
import { inboxOf, repositoryInboxOf, timestamp } from './threads.ts'

const newest = Date.parse('2026-01-01T12:00:00Z')

/** A thread that was updated so many minutes before the newest one. */
const thread = (minutes: number) => ({ id: String(minutes), updated_at: timestamp(newest - 60_000 * minutes) })
const latest = Array.from({ length: 120 }, (_, minutes) => thread(minutes))
const mixed = latest.map((_, place) => latest[(place * 7) % latest.length])

/** A list of these threads, which obeys `since` and `before` or not, and what was asked of it. */
async function listOf(threads: readonly unknown[], address: ListAddress = inboxOf(anonymous), isBounded = true) {
  const { baseUrl, received } = await scriptedTarget(({ url }, response) => {
    const query = new URL(url, 'http://h').searchParams
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 50)]
    const [since, before] = [Date.parse(query.get('since') ?? '') || 0, Date.parse(query.get('before') ?? '') || Infinity]
    const isInside = ({ updated_at }: { updated_at: string }) =>
      !isBounded || (Date.parse(updated_at) >= since && Date.parse(updated_at) <= before)
    const shown = (threads as ReturnType<typeof thread>[]).filter(isInside)
    json(response, 200, shown.slice(size * (page - 1), size * page))
  })
  const session = await openSession(baseUrl)
  const context = createContext(session, { subjects: 0, exchanges: new Set(), made: [], given: new Set() })
  return { t: context, list: new Listing(context, address), received }
}

describe('the bounds of a comparison', () => {
  const many = Array.from({ length: 320 }, (_, minutes) => thread(minutes))

  test('a list of a few pages is compared as a whole', async () => {
    const { t, list } = await listOf(latest)
    expect(await bounds(t, list, {})).toEqual({})
  })

  test('a long list is compared from the oldest thread of its first pages on', async () => {
    const { t, list } = await listOf(many)
    expect(await bounds(t, list, {})).toEqual({ since: thread(199).updated_at })
  })

  test('a long list whose threads have no instant is compared as a whole', async () => {
    const { t, list } = await listOf(
      many.map(({ id }) => ({ id })),
      inboxOf(anonymous),
      false,
    )
    expect(await bounds(t, list, {})).toEqual({})
  })
})

describe('a thread in a list', () => {
  test('a thread is found at its instant by one request, however far down it stands', async () => {
    const { t, list, received } = await listOf(latest)
    expect((await findListed(t, list, thread(110), {}))?.value.id).toBe('110')
    expect(received).toHaveLength(1)
  })

  test('a thread is found in a list that leaves out everything that is bounded', async () => {
    const { t, list } = await listOf(latest)
    const elsewhere = { id: '110', updated_at: timestamp(newest + 1e9) }
    expect((await findListed(t, list, elsewhere, {}))?.value.id).toBe('110')
    expect((await findLeft(t, list, { ...elsewhere, updated_at: thread(119).updated_at }, {}))?.value.id).toBe('110')
  })

  test('a thread that has left an inbox in order is not looked for beyond its instant', async () => {
    const { t, list, received } = await listOf(latest.filter(({ id }) => id !== '20'))
    expect(await findLeft(t, list, thread(20), {})).toBeUndefined()
    expect(received).toHaveLength(2)
  })

  test.each([
    ['an inbox out of order', mixed, inboxOf(anonymous)],
    ['the list of a repository, whose order is not stated', latest, repositoryInboxOf(anonymous, { owner: 'o', repo: 'r' })],
  ])('a thread that may have left is looked for in all of %s', async (_, threads, address) => {
    const { t, list, received } = await listOf(
      threads.filter((one) => one?.id !== '20'),
      address,
    )
    expect(await findLeft(t, list, thread(20), {})).toBeUndefined()
    const last = received.at(-1)?.url ?? ''
    expect(new URL(last, 'http://h').searchParams.get('page')).toBe(String(Math.ceil(119 / list.paging.max) + 1))
  })
})

describe('several threads in a list', () => {
  test('threads of one period are found by one request', async () => {
    const { list, received } = await listOf(latest)
    const wanted = [3, 1, 5].map((minutes) => ({ value: thread(minutes), exchange: {} as Exchange, pointer: '' }))
    const listed = await listedTogether(list, wanted, {})
    expect(['3', '1', '5', '7'].map((id) => listed.has(id))).toEqual([true, true, true, false])
    expect(received).toHaveLength(1)
  })

  test('a thread without an instant is looked for by itself', async () => {
    const { list, received } = await listOf(latest)
    expect(await listedTogether(list, [{ value: { id: '1' }, exchange: {} as Exchange, pointer: '' }], {})).toEqual(new Set())
    expect(received).toHaveLength(0)
  })
})

describe('what a rejected request would have marked', () => {
  const unread = latest.map((each) => ({ ...each, unread: true }))

  test('the threads of the first page that is not full are enough before it', async () => {
    const { t, received } = await listOf(unread.slice(0, 20))
    expect((await unreadShown(t, anonymous)).facts).toHaveLength(20)
    expect(received).toHaveLength(1)
  })

  test('after it, they are looked for until all are seen, and a thread that moved to a later page is none that was marked', async () => {
    const { t, received } = await listOf(unread)
    const before = { facts: ['5', '70'], visible: true }
    expect((await unreadShown(t, anonymous, before)).facts).toEqual(expect.arrayContaining(before.facts))
    expect(received).toHaveLength(2)
  })

  test('after it, a thread that is shown as read counts as marked', async () => {
    const { t } = await listOf(unread.map((each) => ({ ...each, unread: each.id !== '5' })))
    expect((await unreadShown(t, anonymous, { facts: ['5'], visible: true })).facts).not.toContain('5')
  })
})
