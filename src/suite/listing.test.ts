import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { anonymous } from '../http/exchange/caller.ts'
import { openClient } from '../http/test-client.ts'
import { json, scriptedTarget } from '../http/testing/scripted-target.ts'
import { endpoints } from '../spec/endpoints.ts'
import { Deviation, type Finding } from './deviation.ts'
import { type ListAddress, Listing, sameIdSet, sameIds } from './listing.ts'
import { Untested } from './untested.ts'

interface Page {
  readonly number: number
  readonly size: number
  /** How many requests came before. */
  readonly count: number
}

type Answer = (response: ServerResponse, page: Page) => unknown

/** A list whose answers are scripted, and what was asked of it. */
async function listOf(answer: Answer, address: Partial<ListAddress> = {}) {
  const { baseUrl, received } = await scriptedTarget(({ url }, response, count) => {
    const query = new URL(url, 'http://h').searchParams
    answer(response, { number: Number(query.get('page') ?? 1), size: Number(query.get('per_page') ?? 30), count: count - 1 })
  })
  const client = openClient(baseUrl)
  const context = {
    read: client.read.bind(client),
    send: client.send.bind(client),
    untested: (reason: string): never => {
      throw new Untested(reason)
    },
    deviation: (finding: Finding): never => {
      throw new Deviation(finding)
    },
  }
  const list = new Listing(context, {
    endpoint: endpoints.organizationEvents,
    params: { org: 'octo-org' },
    as: anonymous,
    ...address,
  })
  return { list, asked: () => received.map(({ url }) => url.replace('/orgs/octo-org/events', '')) }
}

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => ({ id: String(from + index) }))

/** Serves a list of so many items, by the page. */
const holding =
  (total: number): Answer =>
  (response, { number, size }) =>
    json(response, 200, numbered(Math.min(total, (number - 1) * size), Math.min(total, number * size)))

describe('a walk', () => {
  test('a walk is cut where its pages hold more together than is kept of one', async () => {
    const filler = 'x'.repeat(9 * 1024 * 1024)
    const { list, asked } = await listOf((response, { number }) => json(response, 200, [{ id: String(number), filler }]))
    const { cut, ids } = await list.walk()
    expect([cut, ids.length]).toEqual([true, 4])
    expect(asked()).toHaveLength(4)
  })

  test('a walk reads pages of the largest size until an empty page', async () => {
    const { list, asked } = await listOf(holding(250))
    const walk = await list.walk()
    expect([walk.ids.length, walk.pages.length, walk.repeated]).toEqual([250, 3, false])
    expect(asked()).toEqual(['?per_page=100', '?per_page=100&page=2', '?per_page=100&page=3', '?per_page=100&page=4'])
    expect(walk.ids.at(-1)).toBe('"249"')
    expect(walk.items[150]).toMatchObject({ pointer: '/50', value: { id: '150' } })
  })

  test('items whose ids are beyond 2^53 are told apart by the rest of them', async () => {
    const body = '[{"id":9007199254740993,"guid":"a"},{"id":9007199254740992,"guid":"b"}]'
    const { list } = await listOf((response, { number }) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(number > 1 ? '[]' : body),
    )
    expect(new Set((await list.walk()).ids).size).toBe(2)
  })

  test.each([404, 422, 400])('a walk ends at a page that is answered %i', async (status) => {
    const { list } = await listOf((response, page) =>
      page.number > 2 ? json(response, status, {}) : holding(200)(response, page),
    )
    expect((await list.walk()).ids).toHaveLength(200)
  })

  test('a walk ends when the same page is returned again, and reports it', async () => {
    const { list, asked } = await listOf((response) => json(response, 200, numbered(0, 100)))
    const walk = await list.walk()
    expect([walk.ids.length, walk.repeated, asked().length]).toEqual([100, true, 2])
  })

  test('a walk ends however long the list is', async () => {
    const { list } = await listOf(holding(1_000_000))
    expect((await list.walk()).pages).toHaveLength(40)
  })

  test('a walk does not end at a page that is merely short', async () => {
    const sparse: Answer = (response, { number }) => json(response, 200, number < 4 ? numbered(number * 10, number * 10 + 3) : [])
    expect((await (await listOf(sparse)).list.walk()).ids).toHaveLength(9)
  })

  test('a walk fails at a page with a server error', async () => {
    const { list } = await listOf((response, page) =>
      page.number === 2 ? json(response, 500, {}) : holding(200)(response, page),
    )
    await expect(list.walk()).rejects.toThrow('expected 200 with a JSON array, got 500')
  })

  test('a walk ends at a first page that is empty', async () => {
    const { list, asked } = await listOf(holding(0))
    expect((await list.walk()).pages).toHaveLength(1)
    expect(asked()).toHaveLength(1)
  })

  test('a walk is shared with other checks unless it must be fresh', async () => {
    const { list, asked } = await listOf(holding(50))
    await Promise.all([list.walk(), list.walk()])
    expect(asked()).toHaveLength(2)
    await list.walk({ fresh: true })
    expect(asked()).toHaveLength(4)
  })
})

describe('a page', () => {
  test('a page request carries the filters of the list', async () => {
    const { list, asked } = await listOf(holding(5), { query: { all: true } })
    await list.page({ page: 2 })
    expect(asked()).toEqual(['?all=true&page=2'])
  })

  test('a page of a list with a declared path is read at that path', async () => {
    const { list, asked } = await listOf(holding(5), { path: '/users/mona/events' })
    await list.page()
    expect([list.path, asked()]).toEqual(['/users/mona/events', ['/users/mona/events']])
  })

  test('a page request names the list by its path', async () => {
    expect((await listOf(holding(5))).list.path).toBe('/orgs/octo-org/events')
  })

  test.each<[string, Answer]>([
    ['refused', (response) => json(response, 403, {})],
    ['an object', (response) => json(response, 200, {})],
    ['gone', (response) => json(response, 410, [])],
  ])('a page of a list that is always %s is untested', async (_, answer) => {
    const { list } = await listOf(answer)
    await expect(list.page({ per_page: 5 })).rejects.toThrow(/^the list could not be read/)
    await expect(list.page({ per_page: 5 })).rejects.toBeInstanceOf(Untested)
  })

  test('a single rejected page is a deviation after it was rejected twice', async () => {
    const { list, asked } = await listOf((response, page) =>
      page.size === 5 ? json(response, 422, {}) : holding(9)(response, page),
    )
    const failure: unknown = await list.page({ per_page: 5 }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Deviation)
    expect(String(failure)).toContain('expected 200 with a JSON array, got 422')
    expect(asked()).toEqual(['?per_page=5', '', '?per_page=5'])
  })

  test('a page that failed once is judged by its second answer', async () => {
    const { list } = await listOf((response, page) => (page.count === 0 ? json(response, 404, {}) : holding(9)(response, page)))
    expect(list.ids(await list.page({ per_page: 5 }))).toHaveLength(5)
  })

  test('a page follows a redirect within the target', async () => {
    const moved = await listOf((response, page) =>
      page.count === 0 ? json(response, 301, {}, { location: '/organizations/7/events' }) : holding(9)(response, page),
    )
    expect(moved.list.ids(await moved.list.freshPage())).toHaveLength(9)
    const away = await listOf((response) => json(response, 301, {}, { location: 'http://elsewhere.invalid/' }))
    await expect(away.list.freshPage()).rejects.toThrow('the list could not be read (301)')
  })
})

describe('a bracket', () => {
  test('a bracket succeeds when both frames are equal, and returns what was read in between', async () => {
    const { list, asked } = await listOf(holding(9))
    const { ids, result } = await list.bracket({}, () => list.freshPage({ page: 1 }))
    expect([ids.length, list.ids(result).length]).toEqual([9, 9])
    expect(asked()).toEqual(['', '?page=1', ''])
  })

  test('a shared bracket reads its frame once for all probes that agree with it', async () => {
    const { list, asked } = await listOf(holding(9))
    const same = (ids: string[], page: Parameters<typeof list.ids>[0]) => sameIdSet(ids, list.ids(page))
    await list.sharedBracket({}, () => list.freshPage({ page: 1 }), same)
    await list.sharedBracket({}, () => list.freshPage({ per_page: 30 }), same)
    expect(asked()).toEqual(['', '?page=1', '?per_page=30'])
  })

  test('a shared bracket of a list that has moved since is made again with a frame of its own', async () => {
    const { list, asked } = await listOf((response, { count }) => json(response, 200, numbered(Math.min(count, 1), 9)))
    const same = (ids: string[], page: Parameters<typeof list.ids>[0]) => sameIdSet(ids, list.ids(page))
    expect((await list.sharedBracket({}, () => list.freshPage({ page: 1 }), same)).ids).toHaveLength(8)
    expect(asked()).toEqual(['', '?page=1', '', '?page=1'])
  })

  test('a bracket is repeated while the list changes', async () => {
    const { list, asked } = await listOf((response, { count }) => json(response, 200, numbered(count < 3 ? count : 9, 20)))
    await list.bracket({}, async () => {})
    expect(asked()).toHaveLength(6)
  })

  test('a bracket of a list that never stops changing is untested', async () => {
    const { list, asked } = await listOf((response, { count }) => json(response, 200, numbered(count, count + 5)))
    await expect(list.bracket({}, async () => {})).rejects.toThrow('the list changed during 3 readings')
    expect(asked()).toHaveLength(6)
  })

  test('a surprise between equal frames is returned once it was seen four times', async () => {
    const { list, asked } = await listOf(holding(9))
    const { ids } = await list.bracket(
      {},
      () => list.freshPage({ page: 1 }),
      () => false,
    )
    expect(ids).toHaveLength(9)
    expect(asked()).toHaveLength(12)
  })

  test('a surprise that does not come again is none', async () => {
    const { list } = await listOf((response, { count }) => json(response, 200, numbered(count === 1 ? 3 : 0, 9)))
    const same = (ids: string[], page: Parameters<typeof list.ids>[0]) => sameIdSet(ids, list.ids(page))
    const { ids, result } = await list.bracket({}, () => list.freshPage({ page: 1 }), same)
    expect(list.ids(result)).toEqual(ids)
  })
})

describe('the identity of items', () => {
  test('items are identified by their id, including its type', async () => {
    const { list } = await listOf((response) => json(response, 200, [{ id: '1' }, { id: 1 }, null, 'x']))
    expect(list.ids(await list.page())).toEqual(['"1"', '1', 'null', '"x"'])
  })

  test('items are identified by the function that the list provides', async () => {
    const identify = (item: unknown) => (item as { name: string }).name
    const { list } = await listOf((response) => json(response, 200, [{ name: 'a' }]), { identify })
    expect(list.ids(await list.page())).toEqual(['a'])
  })

  test('items are compared in order or as a set', () => {
    expect([sameIds(['a', 'b'], ['a', 'b']), sameIds(['a', 'b'], ['b', 'a']), sameIds(['a'], ['a', 'a'])]).toEqual([
      true,
      false,
      false,
    ])
    expect([sameIdSet(['a', 'b'], ['b', 'a']), sameIdSet(['a', 'b'], ['a', 'c'])]).toEqual([true, false])
  })
})
