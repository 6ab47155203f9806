import { describe, expect, it } from 'vitest'
import { suites } from '../../suites/index.ts'
import { allChecks } from '../run/selection/selection.ts'
import { areas, endpointLabel } from '../spec/endpoints.ts'
import { costsOf, quotaReads, readCosts, shippedCosts, writeCosts } from './request-costs.ts'

describe('the shipped costs of requests', () => {
  it('keeps every check with the counts of all its endpoints', () => {
    const costs = {
      'events.public.status': { 'GET /events': 1 },
      'events.public.etag': { 'GET /events': 2, 'GET /networks/{owner}/{repo}/events': 1 },
      'notifications.inbox.status': { 'GET /notifications': 1 },
    }
    const read = readCosts(writeCosts(costs))
    for (const [id, cost] of Object.entries(costs)) expect(read(id, '')).toEqual(cost)
  })

  it('takes what is usual in an operation for a check that was not measured', () => {
    const usual = { 'GET /events': 1 }
    const other = { 'GET /events': 3, 'GET /': 1 }
    const read = readCosts(writeCosts({ 'events.public.a': usual, 'events.public.b': other, 'events.public.c': usual }))
    expect(read('events.public.new', '')).toEqual(usual)
    expect(read('events.public.b', '')).toEqual(other)
    expect(read('events.user.new', '')).toEqual({})
  })

  it('keeps what rows of one method cost together, each at its own endpoint', () => {
    const [gist, user] = ['PATCH /gists/{gist_id}', 'PATCH /user']
    const records = [gist, user].map((endpoint, row) => ({
      ...{ id: `permissions.patch-${row}.granted`, endpoint, exchanges: [`x${row}`, `y${row}`] },
    }))
    const sent = records.flatMap(({ endpoint, exchanges: [one = '', two = ''] }) => [
      { id: one, endpoint },
      { id: two, endpoint: 'GET /made/7' },
    ])
    const read = readCosts(writeCosts(costsOf(records, sent)))
    expect(read('permissions.patch-0.granted', gist)).toEqual({ [gist]: 1, 'GET (addresses of the test data)': 1 })
    expect(read('permissions.patch-1.granted', user)).toEqual({ [user]: 1, 'GET (addresses of the test data)': 1 })
  })

  it('counts reads of the quota with the check that polls, under the address that the configuration names', () => {
    const costsOfOne = shippedCosts()
    expect(costsOfOne('versioning.rate-limit.removed-rate', 'GET /rate_limit')['GET /rate_limit'] ?? 0).toBeLessThan(5)
    const exchanges = [{ id: 'x1', endpoint: 'GET /rate_limit' }]
    const measured = (id: string) => costsOf([{ id, endpoint: 'GET /events', exchanges: ['x1'] }], exchanges)[id]
    expect(measured('events.public.not-modified')).toEqual({ [quotaReads]: 1 })
    expect(measured('versioning.rate-limit.kept-rate')).toEqual({ 'GET /rate_limit': 1 })
  })

  it('knows the checks of all areas', () => {
    const costsOf = shippedCosts()
    const known = allChecks(suites).filter(
      ({ check, suite }) => Object.keys(costsOf(check.id, endpointLabel(suite.endpoint))).length > 0,
    )
    expect(new Set(known.map(({ suite }) => suite.area))).toEqual(new Set(areas))
  })
})
