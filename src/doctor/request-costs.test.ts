import { describe, expect, it } from 'vitest'
import { costsOf, quotaReads, readCosts, shippedCosts, writeCosts } from './request-costs.ts'

describe('the shipped costs of requests', () => {
  it('keeps every check with the counts of all its endpoints', () => {
    const costs = {
      'events.public.status': { 'GET /events': 1 },
      'events.public.etag': { 'GET /events': 2, 'GET /networks/{owner}/{repo}/events': 1 },
      'notifications.inbox.status': { 'GET /notifications': 1 },
    }
    expect(readCosts(writeCosts(costs))).toEqual(costs)
  })

  it('name no address that only the run had by which they were measured', () => {
    const labels = [...new Set(Object.values(shippedCosts()).flatMap((costs) => Object.keys(costs)))]
    expect(
      labels.filter((label) => /\d|octo|mona|disposable/.test(label.replace(/\(version-request of change \d+\)/, ''))),
    ).toEqual([])
    const exchanges = ['DELETE /gists/d0003/star', 'GET /conformance/nowhere-1', 'GET /conformance/nowhere-2', 'GET /events']
    const records = exchanges.map((endpoint, index) => ({ id: `x${index}`, endpoint }))
    const [costs] = Object.values(costsOf([{ id: 'a.b', exchanges: records.map(({ id }) => id) }], records))
    expect(costs).toEqual({ 'DELETE (named by a permission-target)': 1, 'GET /conformance/nowhere-': 2, 'GET /events': 1 })
  })

  it('count what no check but one that looks through all of a run lists with the check that asked for it', () => {
    const costs = shippedCosts()
    const many = Object.entries(costs).filter(([id]) => id.startsWith('versioning.rate-limit'))
    expect(Math.max(...many.flatMap(([, counts]) => Object.values(counts)))).toBeLessThan(5)
    expect(costs['events.public.not-modified-free']?.[quotaReads] ?? 0).toBeLessThanOrEqual(12)
  })

  it('knows the checks of all areas', () => {
    const areas = new Set(Object.keys(shippedCosts()).map((id) => id.split('.')[0]))
    expect([...areas].sort()).toEqual(['events', 'migrations', 'notifications', 'permissions', 'versioning'])
  })
})
