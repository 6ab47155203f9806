import { describe, expect, test } from 'vitest'
import { sampleChecks, sampleReport } from '../../fixtures/samples/report/report.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { Reason } from '../record/reason.ts'
import type { Report } from '../record/run-record.ts'
import { blockedChecks, blockedText } from './gate.ts'

const url = 'http://127.0.0.1/events'

/** The last exchange of the untested checks. */
function exchangeOf({ status = 200, bytes = 2, method = 'GET', query = '' } = {}) {
  const request = { method, url: `${url}${query}` }
  return { id: 'x9', endpoint: 'GET /events', as: 'owner', request, response: { status, bodyBytes: bytes }, durationMs: 1 }
}

const { deviation: _, ...plain } = sampleChecks()[0] as CheckRecord

/** A report of `untested` checks that end with one exchange, and of passed checks beside them. */
function reportOf(
  untested: number,
  passed: number,
  last?: Parameters<typeof exchangeOf>[0],
  code: 'unusable-response' | 'not-begun' = 'unusable-response',
) {
  const reason: Reason = { code }
  const checks = Array.from({ length: untested + passed }, (_, index): CheckRecord => {
    const check = { ...plain, id: `events.public.c${index}`, endpoint: 'GET /orgs/{org}/events', exchanges: ['x1', 'x9'] }
    return index < untested ? { ...check, outcome: 'untested', reason } : { ...check, outcome: 'passed' }
  })
  const report = sampleReport('2026-03-10', checks)
  return { ...report, exchanges: [...report.exchanges, exchangeOf(last)] }
}

const found = (report: Report) => blockedChecks(report).map(({ checks, of }) => `${checks} of ${of}`)

describe('the blocked checks of an area', () => {
  test.each([
    ['empty lists', {}],
    ['a refusal', { status: 403, bytes: 300 }],
    ['a refusal of the token', { status: 401, bytes: 300 }],
    ['an empty list on the first page', { query: '?page=1&per_page=100' }],
  ])('are those behind %s', (_, last) => {
    expect(found(reportOf(5, 45, last))).toEqual(['5 of 50'])
  })

  test.each([
    ['a list with items', { bytes: 400 }],
    ['an object that the target does not know', { status: 404, bytes: 300 }],
    ['an empty page after the first', { query: '?per_page=100&page=2' }],
    ['a write', { method: 'POST', status: 403 }],
  ])('are not those behind %s', (_, last) => {
    expect(found(reportOf(20, 5, last))).toEqual([])
  })

  test('are at least five and a tenth of the checks whose needs were met', () => {
    expect(found(reportOf(4, 0))).toEqual([])
    expect(found(reportOf(5, 46))).toEqual([])
    expect(found(reportOf(20, 5, {}, 'not-begun'))).toEqual([])
  })

  test('are none where a check about the same endpoint deviates', () => {
    const report = reportOf(20, 5)
    const deviation = { expected: 'an event', actual: 'none', exchanges: ['x9'] }
    const beside = (endpoint: string): CheckRecord => ({
      ...plain,
      id: 'events.public.red',
      outcome: 'warned',
      endpoint,
      deviation,
    })
    expect(found({ ...report, checks: [...report.checks, beside('GET /events')] })).toEqual([])
    expect(found({ ...report, checks: [...report.checks, beside('GET /other')] })).toEqual(['20 of 26'])
  })

  test('are recorded with the first blocking read', () => {
    const [blocked] = blockedChecks(reportOf(20, 5, { status: 403 }))
    const facts = { apiVersion: '2026-03-10', area: 'events', checks: 20, of: 25, method: 'GET', url, status: 403 } as const
    expect(blocked).toEqual({ code: 'refused-reads', ...facts })
    expect(blockedText({ code: 'refused-reads', ...facts })).toBe(
      `2026-03-10: 20 of 25 events checks could not be judged although their data was given; the first blocking read: GET ${url} (403)`,
    )
  })
})
