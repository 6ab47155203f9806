import { describe, expect, test } from 'vitest'
import { Dialect } from '../http/dialect/dialect.ts'
import { Exchange } from '../http/exchange/exchange.ts'
import type { HeaderLine } from '../record/exchange-record.ts'
import { Deviation } from './deviation.ts'
import { ItemsExpectation, ResponseExpectation } from './expectations.ts'
import { Untested } from './untested.ts'

const request = { method: 'GET', url: 'http://host.example/events', endpoint: 'GET /events', headers: [], as: 'anonymous' }
const actor = { id: 1, login: 'm', display_login: 'm', avatar_id: '', url: 'u', avatar_url: 'a' }
const event = { id: '1', type: 'X', actor, repo: { id: 1, name: 'a/b', url: 'u' }, payload: {}, public: true, created_at: 'x' }

function exchange(status: number, body: unknown = '', headers: HeaderLine[] = [], strayBytes?: number) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = { status, headers, body: Buffer.from(text), ...(strayBytes === undefined ? {} : { strayBytes }) }
  return new Exchange('x1', request, response, 1, new Dialect())
}

/** The result of claims about a response: the number of subjects, or the thrown error. */
function judged(response: Exchange, claim: (of: ResponseExpectation) => unknown) {
  const counted: number[] = []
  try {
    claim(new ResponseExpectation(response, (subjects) => counted.push(subjects)))
    return sum(counted)
  } catch (error) {
    return error as Error
  }
}

describe('a claim about one response', () => {
  test('a claim about one response counts the response each time it is true', () => {
    const response = exchange(200, [], [['ETag', '"a"']])
    const quoted = { name: 'a quoted tag', pattern: /^".*"$/ }
    expect(judged(response, (of) => of.status(200, 304).array().header('etag', quoted))).toBe(3)
  })

  test.each<[string, Exchange, (of: ResponseExpectation) => unknown, string]>([
    ['another status', exchange(404), (of) => of.status(200, 304), 'expected 200 or 304, got 404'],
    ['an object for an array', exchange(200, {}), (of) => of.array(), 'expected a JSON array as body, got {}'],
    ['null for an array', exchange(200, null), (of) => of.array(), 'expected a JSON array as body, got null'],
    ['no body for an array', exchange(200), (of) => of.array(), 'expected a JSON array as body, got an empty body'],
    [
      'HTML for an array',
      exchange(200, '<html>'),
      (of) => of.array(),
      'expected a JSON array as body, got 6 bytes that are not JSON',
    ],
    ['a body for none', exchange(205, 'null'), (of) => of.noBody(), 'expected no body, got a body of 4 bytes'],
    ['stray bytes for none', exchange(304, '', [], 7), (of) => of.noBody(), 'expected no body, got 7 bytes after the headers'],
  ])('says what it wanted of %s', (_, response, claim, message) => {
    const error = judged(response, claim)
    expect(error).toBeInstanceOf(Deviation)
    expect((error as Deviation).message).toBe(message)
    expect((error as Deviation).finding.exchanges).toEqual([response])
  })

  test('a claim about one response states the fault of a header', () => {
    const seconds = { name: 'seconds', pattern: /^[0-9]+$/ }
    const claim = (of: ResponseExpectation) => of.header('X-Poll-Interval', seconds)
    expect(String(judged(exchange(200), claim))).toContain('expected X-Poll-Interval as seconds, got no X-Poll-Interval header')
    expect(String(judged(exchange(200, '', [['x-poll-interval', '60s']]), claim))).toContain('got X-Poll-Interval: 60s')
  })

  test('a claim about one response names the place in a body that does not match its schema', () => {
    const error = judged(exchange(200, { ...event, actor: { ...actor, id: '1' } }), (of) => of.matches('event'))
    expect((error as Deviation).finding).toMatchObject({
      expected: 'event /actor/id must be integer',
      actual: '"1"',
      pointer: '/actor/id',
    })
  })
})

describe('a refusal', () => {
  const refused = (status: number, body?: unknown) => judged(exchange(status, body), (of) => of.refused('event'))

  test.each([401, 403, 404])('a %i without data is a refusal', (status) => {
    expect(refused(status, { message: 'no' })).toBe(2)
  })

  test.each([200, 204, 500, 501, 505])('a %i is not a refusal', (status) => {
    expect(refused(status)).toBeInstanceOf(Deviation)
  })

  test.each([301, 400, 410, 422])('a %i is untested, because it neither grants nor refuses access', (status) => {
    expect(refused(status)).toBeInstanceOf(Untested)
  })

  test.each([
    ['a list of data', [event]],
    ['an object of data', event],
  ])('a refusal that contains %s leaks data', (_, body) => {
    expect(String(refused(403, body))).toContain('403 with event data')
  })
})

describe('a claim about every item', () => {
  const items = (values: unknown[], response = exchange(200, values)) =>
    values.map((value, index) => ({ value, exchange: response, pointer: `/${index}` }))

  test('a claim about every item is untested without an item', () => {
    expect(() => new ItemsExpectation([], 'event', () => {})).toThrow(
      new Untested('there was no event to examine', [], { code: 'nothing-to-examine' }),
    )
  })

  test('a claim about every item counts the items', () => {
    const counted: number[] = []
    const expectation = new ItemsExpectation(items([{ n: 1 }, { n: 2 }]), 'item', (subjects) => counted.push(subjects))
    expectation.match('payload').satisfy('an n', (value) => (value as { n: number }).n > 0)
    expect(sum(counted)).toBe(4)
  })

  test('a claim about every item points at the first item that violates it', () => {
    const expectation = new ItemsExpectation(items([{}, 'text']), 'item', () => {})
    expect(() => expectation.match('payload')).toThrow('expected payload must be object, got "text"')
    try {
      expectation.satisfy('an object', (value) => typeof value === 'object')
    } catch (error) {
      expect((error as Deviation).finding).toMatchObject({ actual: '"text"', pointer: '/1' })
    }
    expect.assertions(2)
  })

  test.each([
    [
      'a type',
      [{ type: 'Issue' }, { type: 'Pull' }, { type: 'Pull' }],
      [1, 2],
      { failing: 2, of: 3, trait: { member: 'type', value: 'Pull' } },
    ],
    [
      'a member of a member',
      [{ a: { b: null } }, { a: { b: 1 } }, { a: { b: null } }],
      [0, 2],
      { failing: 2, of: 3, trait: { member: 'a.b', value: null } },
    ],
    ['no value', [{ a: 1 }, { a: 1 }, { a: 1 }], [0, 2], { failing: 2, of: 3 }],
    ['a value that one item has', [{ id: 1 }, { id: 2 }], [0], { failing: 1, of: 2 }],
    ['all items', [{ a: 1 }, { a: 1 }], [0, 1], { failing: 2, of: 2 }],
  ])(
    'a claim about every item counts the failing ones and names the values that only they share: %s',
    (_, values, failing, found) => {
      const isRight = (value: unknown) => !failing.some((at) => values[at] === value)
      expect(failuresOf(items(values), isRight)).toEqual(found)
    },
  )

  test('the shared member is looked up in the item of the list that contains the examined value', () => {
    const values = [
      { type: 'A', n: 1 },
      { type: 'B', n: 2 },
      { type: 'B', n: 3 },
    ]
    const numbers = items(values).map((item) => ({
      ...item,
      value: (item.value as { n: number }).n,
      pointer: `${item.pointer}/n`,
    }))
    expect(failuresOf(numbers, (n) => n === 1)).toEqual({ failing: 2, of: 3, trait: { member: 'type', value: 'B' } })
  })

  test('items that are alone in a list differ from those of other lists by their request, and by no member', () => {
    const all = [...items([{ n: 1 }]), ...items([{ n: 2 }, { n: 2 }])]
    expect(failuresOf(all, (value) => value === all[0]?.value)).toEqual({ failing: 2, of: 3 })
  })

  test('a member of a body that is no list is not looked up in itself', () => {
    const [known] = items([{}])
    const members = ['A', 'A', 'B'].map((type) => ({
      ...known,
      value: type,
      exchange: { json: { type }, request: {} },
      pointer: '/type',
    }))
    expect(failuresOf(members as never, (type) => type === 'B')).toEqual({ failing: 2, of: 3 })
  })
})

/** The failing items of a claim that is true of some items alone. */
function failuresOf(items: ConstructorParameters<typeof ItemsExpectation>[0], isRight: (value: unknown) => boolean) {
  try {
    new ItemsExpectation(items, 'item', () => {}).satisfy('to be right', isRight)
  } catch (error) {
    if (error instanceof Deviation) return error.finding.items
  }
  throw new Error('the claim is true')
}

function sum(counts: readonly number[]) {
  return counts.reduce((total, count) => total + count, 0)
}
