import { gunzipSync } from 'node:zlib'
import { defaults } from '../../config/defaults.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import type { Difference, RunRecord } from '../../record/run-record.ts'
import { hostile, sampleReport } from '../../record/testing/sample-report.ts'
import { assembleRun } from '../../run/records/assemble-run.ts'

const waiver = {
  check: 'events.public.per-page-default',
  reason: `slow | ${hostile}`,
  owner: 'mona',
  link: 'javascript:alert(1)',
  expires: '2027-01-31',
  at: 'conformance.config.yaml:9',
}

const differences: Difference[] = [
  { endpoint: 'GET /rate_limit', at: '/rate', kind: 'removed', older: 'object', newer: 'absent', change: 1, documented: true },
  { endpoint: 'GET /gists', at: '/*/extra', kind: 'added', older: 'absent', newer: hostile, documented: false },
]

const says = 'GET /events returned 200'

const preflight: PreflightRecord = {
  target: says,
  reference: false,
  configuration: 'conformance.config.yaml',
  tokens: [{ token: 'TOKEN_OWNER', kind: 'classic', role: 'owner', login: hostile, state: 'accepted', says }],
  notes: [`the migrations of TOKEN_OWNER show the owner ${hostile}`],
}

/** The records of a run over both versions. */
export function sampleRecords(change: Partial<RunRecord> = {}): RunRecords {
  const reports = [sampleReport('2022-11-28'), sampleReport('2026-03-10')] as const
  const [{ checks, exchanges }] = reports
  const across = {
    ...(checks[0] as CheckRecord),
    id: 'versioning.same.types',
    area: 'versioning',
    endpoint: 'GET /gists',
  } as const
  const run = assembleRun({
    config: { ...structuredClone(defaults), target: { paths: {}, baseUrl: 'http://127.0.0.1:1' }, waivers: [waiver] },
    reports,
    crossVersion: { checks: [across], differences, observations: [], exchanges },
    leftBehind: ['gist 12'],
    seed: 7,
    interrupted: false,
    today: '2026-11-20',
  })
  return { run: { ...run, preflight, ...change }, reports }
}

/** The text of a file, followed by the compressed data of a page. */
export function unpackedText(text: string): string {
  const packed = [...text.matchAll(/<script type="application\/gzip\+base64"[^>]*>([^<]*)</g)]
  return [text, ...packed.map(([, data = '']) => gunzipSync(Buffer.from(data, 'base64')).toString('utf8'))].join('\n')
}
