import { defaults } from '../../config/defaults.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { hostile, sampleChecks, sampleExchange, sampleReport } from '../../record/testing/sample-report.ts'
import { assembleRun } from '../../run/records/assemble-run.ts'

/** The records of a run over both versions. */
export function sampleRecords(change: Partial<RunRecord> = {}): RunRecords {
  const reports = [sampleReport('2022-11-28'), sampleReport('2026-03-10')]
  const config = {
    ...structuredClone(defaults),
    target: { paths: {}, baseUrl: 'http://127.0.0.1:1' },
    waivers: [
      {
        check: 'events.public.per-page-default',
        reason: `slow | ${hostile}`,
        owner: 'mona',
        link: 'javascript:alert(1)',
        expires: '2027-01-31',
        at: 'conformance.config.yaml:9',
      },
    ],
  }
  const crossVersion = {
    checks: [
      { ...(sampleChecks()[0] as CheckRecord), id: 'versioning.same.types', area: 'versioning' as const, endpoint: 'GET /gists' },
    ],
    differences: [
      {
        endpoint: 'GET /rate_limit',
        at: '/rate',
        kind: 'removed' as const,
        older: 'object',
        newer: 'absent',
        change: 1,
        documented: true,
      },
      { endpoint: 'GET /gists', at: '/*/extra', kind: 'added' as const, older: 'absent', newer: hostile, documented: false },
    ],
    observations: [],
    exchanges: [sampleExchange('x1'), sampleExchange('x2')],
  }
  const run = assembleRun({
    config,
    reports,
    crossVersion,
    leftBehind: ['gist 12'],
    seed: 7,
    interrupted: false,
    today: '2026-11-20',
  })
  const preflight = {
    target: 'GET /events returned 200',
    reference: false,
    configuration: 'conformance.config.yaml',
    tokens: [
      {
        token: 'TOKEN_OWNER',
        kind: 'classic' as const,
        role: 'owner' as const,
        login: hostile,
        state: 'accepted' as const,
        says: 'GET /events returned 200',
      },
    ],
    notes: [`the migrations of TOKEN_OWNER show the owner ${hostile}`],
  }
  return { run: { ...run, preflight, ...change }, reports }
}
