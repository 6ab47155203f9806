import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { hostile, sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords, unpackedText } from '../../../fixtures/samples/run/records.ts'
import { packageRoot } from '../../package/root.ts'
import { validatorOf } from '../../package/schemas.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { lackOf } from '../../record/reason.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import { noCrossVersion } from '../../record/run-record.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { type FormatName, formatNames } from './format-names.ts'
import { renderFormats } from './formats.ts'

/** The files of one format. */
const renderFormat = (name: FormatName, records: RunRecords) => [...renderFormats([name], records)]

const published = (file: string) => readFileSync(join(packageRoot, 'fixtures', 'samples', 'report-schemas', file), 'utf8')

function filesOf(name: FormatName) {
  return renderFormat(name, sampleRecords())
}

/** The Markdown summary of some records. */
const summaryOf = (records: RunRecords) => renderFormat('markdown', records)[0]?.text ?? ''

/** The badge of some records as shields read it. */
const shieldOf = (records: RunRecords) => JSON.parse(renderFormat('badge', records)[1]?.text ?? '')

/** Expects records that the schemas of the suite accept. */
function expectValid(records: RunRecords) {
  for (const { path, text } of renderFormat('json', records)) {
    const validate = validatorOf(path === 'run.json' ? 'run' : 'report')
    validate(JSON.parse(text))
    expect(validate.errors).toBeNull()
  }
}

/** Expects files of a format that a published schema accepts. */
function expectPublished(ajv: Ajv, schema: string, name: FormatName) {
  addFormats.default(ajv)
  const validate = ajv.compile(JSON.parse(schema))
  for (const { text } of filesOf(name)) {
    validate(JSON.parse(text))
    expect(validate.errors).toBeNull()
  }
}

test.each(formatNames)('the format %s is deterministic and contains no raw control character', (name) => {
  const first = filesOf(name)
  expect(first.length).toBeGreaterThan(0)
  expect(filesOf(name)).toEqual(first)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  for (const { text } of first) expect(text).not.toMatch(/[\u0000\u001b]/)
})

test.each(['junit', 'markdown', 'html', 'badge'] as const)('the format %s contains no character that reverses text', (name) => {
  for (const { text } of filesOf(name)) expect(text).not.toContain('\u202e')
})

describe('json', () => {
  test('the JSON records are valid by the schemas of the suite', () => {
    expect(filesOf('json').map(({ path }) => path)).toEqual(['run.json', '2022-11-28/report.json', '2026-03-10/report.json'])
    expectValid(sampleRecords())
  })

  test.each([
    ['report', { verdict: 'fine' }],
    ['report', { checks: [{ id: 'events.public.status' }] }],
    ['report', { unknown: 1 }],
    ['run', { versions: [{}] }],
    ['run', { verdict: undefined }],
  ])('a %s record with %j is rejected', (schema, change) => {
    const { run, reports } = sampleRecords()
    expect(validatorOf(schema)({ ...(schema === 'run' ? run : reports[0]), ...change })).toBe(false)
  })
})

describe('junit', () => {
  test('the JUnit files are valid by the published schema, one file for each lane', async () => {
    const files = filesOf('junit')
    expect(files.map(({ path }) => path)).toEqual(['2022-11-28/junit.xml', '2026-03-10/junit.xml', 'across-versions/junit.xml'])
    for (const { text } of files) {
      const result = await validateXML({ xml: [{ fileName: 'junit.xml', contents: text }], schema: [published('junit-10.xsd')] })
      expect(result.errors).toEqual([])
    }
  })

  test('the JUnit file counts failures, errors and skipped cases', () => {
    const text = filesOf('junit')[0]?.text ?? ''
    expect(text).toContain('tests="8" failures="1" errors="1"')
    expect(text.match(/<skipped /g)).toHaveLength(4)
    expect(text.match(/<property /g)).toHaveLength(6)
    expect(text).toContain('<property name="verdict" value="deviates, 4 of 7 applicable checks judged (57 %)"/>')
  })
})

describe('sarif', () => {
  test('the SARIF file is valid by the published schema and suppresses waived checks', () => {
    expectPublished(new Ajv2020({ strict: false }), published('sarif-2.1.0.json'), 'sarif')
    const results: { ruleId: string; level: string; suppressions?: unknown[] }[] = JSON.parse(filesOf('sarif')[0]?.text ?? '')
      .runs[0].results
    expect(results.map((result) => [result.ruleId, result.level, result.suppressions?.length ?? 0])).toEqual([
      ['events.public.shape', 'error', 0],
      ['events.public.order', 'warning', 0],
      ['events.public.per-page-default', 'error', 1],
    ])
  })

  test('each location leads to the line of the check in a file that is written', () => {
    const written = new Map(filesOf('json').map(({ path, text }) => [path, text.split('\n')]))
    const results = filesOf('sarif').flatMap(({ text }) => JSON.parse(text).runs[0].results)
    const places = results.map(({ ruleId, locations }) => {
      const { artifactLocation, region } = locations[0].physicalLocation
      return [ruleId, artifactLocation.uri, written.get(artifactLocation.uri)?.[region.startLine - 1]?.replaceAll(' ', '')]
    })
    for (const [id, , line] of places) expect(line).toContain(`"id":"${id}"`)
    expect(new Set(places.map(([, uri]) => uri))).toEqual(
      new Set(['2022-11-28/report.json', '2026-03-10/report.json', 'run.json']),
    )
  })
})

test('the CTRF file is valid by the published schema', () => {
  const require = createRequire(import.meta.url)
  const schema = join(require.resolve('ctrf'), '..', 'ctrf-schema-0.0.json')
  expectPublished(new Ajv({ strict: false }), readFileSync(schema, 'utf8'), 'ctrf')
})

describe('markdown', () => {
  const summary = summaryOf(sampleRecords())

  test('the Markdown summary is short and contains no markup from the target', () => {
    expect(summary.length).toBeLessThan(6000)
    expect(summary).not.toMatch(/<script|<img/)
    expect(summary.indexOf('events.public.shape')).toBeLessThan(summary.indexOf('events.public.order'))
  })

  test('the Markdown summary states the expected and the actual value, of any length', () => {
    const records = sampleRecords()
    const long = { expected: 'e'.repeat(5000), actual: `found ${'f'.repeat(5000)}`, exchanges: [] }
    const checks = Array.from({ length: 300 }, (_, index) => ({
      ...(sampleChecks()[0] as CheckRecord),
      id: `events.public.c${index}`,
      deviation: { ...long, actual: `${long.actual}${index}` },
    }))
    const text = summaryOf({ ...records, reports: [sampleReport('2026-03-10', checks)] })
    expect(text).toContain('got found ffff')
    expect(text).toContain('more causes, in the report')
    expect(Buffer.byteLength(text)).toBeLessThan(60_000)
  })

  test('the verdict of the Markdown summary carries its coverage, and untested checks are named', () => {
    expect(summary.split('\n')[0]).toBe('# Conformance: deviates, 9 of 15 applicable checks judged (60 %)')
    expect(summary).toContain('- 2 busy-user not provided: `events.public.cap`')
  })

  test('the Markdown summary calls no need missing that was given in vain', () => {
    const [first] = sampleChecks()
    const reason = lackOf([new Catalogue().unfit({ type: 'need', name: 'organization' }, 'it has no event')])
    const check = { ...(first as CheckRecord), outcome: 'untested' as const, reason }
    const records = { ...sampleRecords(), reports: [sampleReport('2026-03-10', [check])] }
    expect(summaryOf(records)).toContain('- 1 organization was given, but it has no event: `')
  })

  test('the Markdown summary names the configuration of the run, and why nothing was concluded', () => {
    const { run, reports } = sampleRecords()
    const open = ['2026-03-10: 1 of 3 applicable must checks judged; gate.minJudged requires 50 %']
    const text = summaryOf({ run: { ...run, gate: { ...run.gate, open } }, reports })
    expect(text).toContain('Judged with configuration conformance.config.yaml; tokens: owner ')
    expect(text).toContain('1 of 3 applicable must checks judged')
  })

  test('the Markdown summary names a cause of both versions once, with its other checks', () => {
    expect(summary.match(/events\.public\.shape/g)).toHaveLength(1)
    expect(summary).toMatch(/^- ❌ `events\.public\.shape` \(2022-11-28, 2026-03-10\) and 1 check with the same cause: `/m)
    expect(summary).toMatch(/^ {2}the same: `versioning\.same\.types`$/m)
    expect(summary.match(/^- ❌/gm)).toHaveLength(1)
  })
})

describe('badge', () => {
  test('the badge states how many checks failed and how much was judged', () => {
    const [svg, shield] = filesOf('badge')
    expect(svg?.text).toContain('3 of 9 failed, 60 % judged')
    expect(JSON.parse(shield?.text ?? '')).toEqual({
      schemaVersion: 1,
      label: 'conformance',
      message: '3 of 9 failed, 60 % judged',
      color: 'red',
    })
  })

  test.each([
    ['conforms', ['passed', 'passed'], 'conforms, 100 % judged', 'brightgreen'],
    ['conforms', ['passed', 'untested', 'untested'], 'conforms, 33 % judged', 'orange'],
    ['inconclusive', ['passed', 'errored'], 'inconclusive, 50 % judged', 'orange'],
  ] as const)('a run that %s over %j prints "%s" in %s', (verdict, outcomes, message, color) => {
    const { run } = sampleRecords({ verdict })
    const [first] = sampleChecks()
    const checks = outcomes.map((outcome) => ({ ...(first as CheckRecord), outcome }))
    const records = { run: { ...run, crossVersion: noCrossVersion }, reports: [sampleReport('2026-03-10', checks)] }
    expect(shieldOf(records)).toMatchObject({ message, color })
  })
})

describe('a selection', () => {
  const selection = { by: ['--only events.public.status'], selected: 20, of: 4219 }
  const records = sampleRecords({ verdict: 'conforms', selection })
  const textOf = (name: FormatName) =>
    renderFormat(name, records)
      .map(({ text }) => unpackedText(text))
      .join('\n')

  test.each(formatNames)('is named in the format %s, and no share of 100 % is', (name) => {
    const text = textOf(name)
    if (name !== 'badge') expect(text).toContain('--only events.public.status')
    expect(text).toMatch(/on a selection|9 of 4,219 checks|"selection"/)
    expect(text).not.toMatch(/\d % judged|judged \(\d+ %\)/)
  })

  test('has a grey badge with its numbers unless it deviates', () => {
    expect(shieldOf(records)).toMatchObject({
      color: 'lightgrey',
      message: expect.stringContaining('9 of 4,219 checks'),
    })
    expect(shieldOf(sampleRecords({ selection }))).toMatchObject({ color: 'red', message: '3 of 9 failed, 9 of 4,219 checks' })
  })

  test('is the first sentence of the summary', () => {
    expect(textOf('markdown')).toMatch(
      /^# Conformance: conforms on a selection: 9 of 4,219 checks, 6 selected checks not judged\n/,
    )
  })

  test('is valid in run.json', () => expectValid(records))
})

describe('a provisional run', () => {
  const records = sampleRecords({ verdict: 'conforms', provisional: true })

  test('has no green badge', () => {
    const checks = sampleChecks().map((check) => ({ ...check, outcome: 'passed' as const }))
    const reports = [sampleReport('2026-03-10', checks)]
    const run = { ...records.run, crossVersion: noCrossVersion }
    expect(shieldOf({ run, reports })).toMatchObject({
      color: 'lightgrey',
      message: 'conforms (provisional), 100 % judged',
    })
  })

  test('is valid in run.json, with the suspicions and confirmations of its checks', () => {
    const confirmedAs = { check: 'events.public.etag', lane: 'across' as const }
    const checks = sampleChecks().map((check) => ({ ...check, suspicions: ['an effect'], confirmedAs }))
    expectValid({ run: records.run, reports: [sampleReport('2026-03-10', checks)] })
  })
})

test('the sample contains text of a hostile target', () => {
  expect(JSON.stringify(sampleRecords())).toContain(JSON.stringify(hostile).slice(1, 20))
})
