import { describe, expect, test } from 'vitest'
import { declaredRequests } from './declared-requests.ts'

const hello = { method: 'GET', path: '/repos/octo-org/hello' }
const pulls = { method: 'GET', path: '/repos/octo-org/hello/pulls' }

describe('declaredRequests', () => {
  test.each([
    ['a bare list', [hello, pulls]],
    ['a list under requests', { requests: [hello, pulls] }],
    ['lists under requests, one a change', [{ requests: [hello] }, { change: 5, requests: [pulls] }]],
  ])('takes %s', (_, given) => {
    expect(declaredRequests(given, 5)).toEqual({ requests: [hello, pulls] })
  })

  test('takes a single request', () => {
    expect(declaredRequests(hello, 5)).toEqual({ requests: [hello] })
  })

  test('leaves out what is for another change', () => {
    const given = [
      { change: 17, ...pulls },
      { change: 5, ...hello },
      { change: 17, requests: [hello] },
    ]
    expect(declaredRequests(given, 5)).toEqual({ requests: [hello] })
  })

  test.each([[undefined], [[]], [[{ change: 17, ...pulls }]], [{ requests: [] }]])('has nothing to give of %j', (given) => {
    expect(declaredRequests(given, 5)).toBeUndefined()
  })
})
