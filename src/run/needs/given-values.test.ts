import { describe, expect, test } from 'vitest'
import { Catalogue } from '../../suite/catalogue.ts'
import { declaredRequests, problemWith } from './given-values.ts'

const hello = { method: 'GET', path: '/repos/octo-org/hello' }
const pulls = { method: 'GET', path: '/repos/octo-org/hello/pulls' }

test('a value outside a list of allowed values is refused with the list', () => {
  expect(problemWith('version-request', { ...hello, method: 'FETCH' }, new Catalogue())).toMatch(
    /: \/method must .*: GET, POST, PUT, PATCH, DELETE$/,
  )
})

describe('declaredRequests', () => {
  test.each([
    ['a bare list', [hello, pulls]],
    ['a list under requests', { requests: [hello, pulls] }],
    ['lists under requests, one a change', [{ requests: [hello] }, { change: 5, requests: [pulls] }]],
  ])('declared requests are read from %s', (_, given) => {
    expect(declaredRequests(given, 5)).toEqual({ requests: [hello, pulls] })
  })

  test('a single declared request is accepted', () => {
    expect(declaredRequests(hello, 5)).toEqual({ requests: [hello] })
  })

  test('declared requests for another change are omitted', () => {
    const given = [
      { change: 17, ...pulls },
      { change: 5, ...hello },
      { change: 17, requests: [hello] },
    ]
    expect(declaredRequests(given, 5)).toEqual({ requests: [hello] })
  })

  test.each([[undefined], [[]], [[{ change: 17, ...pulls }]], [{ requests: [] }]])('%j contains no declared request', (given) => {
    expect(declaredRequests(given, 5)).toBeUndefined()
  })
})
