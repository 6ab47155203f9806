import { describe, expect, it } from 'vitest'
import { suites } from '../../suites/index.ts'
import { allChecks } from '../run/selection.ts'
import { areas } from '../spec/endpoint.ts'
import { readCosts, shippedCosts, writeCosts } from './request-costs.ts'

describe('the shipped costs of requests', () => {
  it('keeps every check with the counts of all its endpoints', () => {
    const costs = {
      'events.public.status': { 'GET /events': 1 },
      'events.public.etag': { 'GET /events': 2, 'GET /networks/{owner}/{repo}/events': 1 },
      'notifications.inbox.status': { 'GET /notifications': 1 },
    }
    const read = readCosts(writeCosts(costs))
    for (const [id, cost] of Object.entries(costs)) expect(read(id)).toEqual(cost)
  })

  it('takes what is usual in an operation for a check that was not measured', () => {
    const usual = { 'GET /events': 1 }
    const other = { 'GET /events': 3, 'GET /': 1 }
    const read = readCosts(writeCosts({ 'events.public.a': usual, 'events.public.b': other, 'events.public.c': usual }))
    expect(read('events.public.new')).toEqual(usual)
    expect(read('events.public.b')).toEqual(other)
    expect(read('events.user.new')).toEqual({})
  })

  it('knows the checks of all areas', () => {
    const costsOf = shippedCosts()
    const known = allChecks(suites).filter(({ check }) => Object.keys(costsOf(check.id)).length > 0)
    expect(new Set(known.map(({ suite }) => suite.area))).toEqual(new Set(areas))
  })
})
