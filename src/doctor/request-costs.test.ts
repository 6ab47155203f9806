import { describe, expect, it } from 'vitest'
import { readCosts, shippedCosts, writeCosts } from './request-costs.ts'

describe('the shipped costs of requests', () => {
  it('keeps every check with the counts of all its endpoints', () => {
    const costs = {
      'events.public.status': { 'GET /events': 1 },
      'events.public.etag': { 'GET /events': 2, 'GET /networks/{owner}/{repo}/events': 1 },
      'notifications.inbox.status': { 'GET /notifications': 1 },
    }
    expect(readCosts(writeCosts(costs))).toEqual(costs)
  })

  it('knows the checks of all areas', () => {
    const areas = new Set(Object.keys(shippedCosts()).map((id) => id.split('.')[0]))
    expect([...areas].sort()).toEqual(['events', 'migrations', 'notifications', 'permissions', 'versioning'])
  })
})
