import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, startReferenceServer } from '../../fixtures/reference/server/start.ts'
import { type sampleChecks, sampleRecords } from '../../fixtures/samples/report-sample.ts'
import { suites } from '../../suites/index.ts'
import { loadConfig } from '../config/load.ts'
import type { Outcome } from '../record/outcome.ts'
import type { ShardRecord } from '../record/run-record.ts'
import { compareRuns } from '../report/comparison/compare.ts'
import { comparisonHtml, comparisonMarkdown, comparisonText } from '../report/comparison/comparison-formats.ts'
import { readRun } from '../report/read.ts'
import { writeReports } from '../report/write.ts'
import { compareCommand } from './actions/compare.ts'
import { doctorCommand } from './actions/doctor.ts'
import { explainCommand } from './actions/explain.ts'
import { initCommand } from './actions/init.ts'
import { mergeCommand } from './actions/merge.ts'
import { planCommand } from './actions/plan.ts'
import { providerCheckCommand } from './actions/provider.ts'
import { reportCommand } from './actions/report.ts'
import { waiveCommand } from './actions/waive.ts'
import { createProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-commands-'))
let running: RunningServer

beforeAll(async () => {
  running = await startReferenceServer()
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** Sample records in which one check came to another outcome. */
function recordsWith(id: string, outcome: Outcome | undefined) {
  const records = sampleRecords()
  const change = (checks: ReturnType<typeof sampleChecks>) =>
    checks.flatMap((check) => (check.id !== id ? [check] : outcome === undefined ? [] : [{ ...check, outcome }]))
  return { ...records, reports: records.reports.map((report) => ({ ...report, checks: change(report.checks) })) }
}

describe('every command', () => {
  const program = createProgram({ suites: async () => suites, print() {}, warn() {}, end() {} })
  const commands = program.commands.flatMap((command) => [command, ...command.commands])

  test.each(commands.map((command) => [command.name(), command] as const))(
    'the command %s shows an example in its help',
    (_, command) => {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) })
      command.outputHelp()
      expect(help).toMatch(/Example:\n {2}.*service-conformance/)
    },
  )
})

describe('waive', () => {
  const options = { reason: 'a "quoted" reason', owner: 'mona', link: 'https://tracker.example/7', expires: '2027-01-31' }

  test('waive adds an entry and leaves every other byte unchanged', () => {
    const before =
      '# mine\nareas: [events] # two\n\nwaivers:\n  # the first\n  - check: events.public.status\n    reason: r\n    owner: o\n    link: l\n    expires: 2027-01-01\n# the end\nversions: ["2026-03-10"]\n'
    const file = write('waive.yaml', before)
    waiveCommand('events.public.media-type', { ...options, config: file }, suites)
    const after = readFileSync(file, 'utf8')
    const added = after.split('\n').filter((line) => !before.split('\n').includes(line))
    expect(added).toEqual([
      '  - { check: events.public.media-type, reason: "a \\"quoted\\" reason", owner: mona, link: "https://tracker.example/7", expires: 2027-01-31 }',
    ])
    expect(after.replace(`${added[0]}\n`, '')).toBe(before)
    expect(loadConfig(file).waivers).toMatchObject([
      { check: 'events.public.status' },
      { ...options, check: 'events.public.media-type' },
    ])
  })

  test.each([
    ['an empty file', ''],
    ['a file without waivers or a last line end', 'areas: [events]'],
    ['a file of comments', '# nothing yet\n'],
    ['an empty list', 'waivers: []\nareas: [events]\n'],
    ['a list on one line', 'waivers: [{ check: events.public.status, reason: r, owner: o, link: l, expires: 2027-01-01 }]\n'],
  ])('waive works on %s', (name, before) => {
    const file = write(`${name.replaceAll(' ', '-')}.yaml`, before)
    waiveCommand('events.public.media-type', { ...options, config: file, apiVersion: ['2026-03-10'] }, suites)
    expect(loadConfig(file).waivers.at(-1)).toMatchObject({
      ...options,
      check: 'events.public.media-type',
      versions: ['2026-03-10'],
    })
  })

  test('waive rejects a second entry and a check that does not exist', () => {
    const file = write('twice.yaml', '')
    waiveCommand('events.public.media-type', { ...options, config: file }, suites)
    expect(() => waiveCommand('events.public.media-type', { ...options, config: file }, suites)).toThrow('has a waiver of')
    expect(() => waiveCommand('events.public.media-typ', { ...options, config: file }, suites)).toThrow(
      'did you mean "events.public.media-type"?',
    )
  })
})

describe('compare', () => {
  test.each([
    ['passed', 'failed', 'regression'],
    ['passed', 'warned', 'regression'],
    ['untested', 'failed', 'regression'],
    [undefined, 'failed', 'regression'],
    ['waived', 'failed', 'regression'],
    ['failed', 'passed', 'fix'],
    ['waived', 'passed', 'fix'],
    ['passed', 'untested', 'lost'],
    ['passed', 'errored', 'lost'],
    ['errored', 'passed', 'unlocked'],
    [undefined, 'passed', 'new'],
    ['failed', 'waived', 'other'],
  ] as const)('a change from %s to %s is a %s', (before, after, kind) => {
    const runs = [before, after].map((outcome, index) => ({
      name: `run ${index}`,
      records: recordsWith('events.public.status', outcome),
    }))
    const { changes } = compareRuns(runs)
    expect(changes.map((change) => [change.lane, change.kind])).toEqual([
      ['2022-11-28', kind],
      ['2026-03-10', kind],
    ])
  })

  test('a comparison as Markdown lists new failures first and stays below the limit of a comment', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `events.public.made-up-check-number-${index}`)
    const records = (outcome: Outcome) => {
      const sample = recordsWith('events.public.status', 'passed')
      const check = sample.reports[0]?.checks[0]
      const made = names.map((id, index) => ({
        ...check,
        id,
        outcome: index === 2999 && outcome === 'errored' ? 'failed' : outcome,
      }))
      return { ...sample, reports: sample.reports.map((report) => ({ ...report, checks: made as typeof report.checks })) }
    }
    const text = comparisonMarkdown(
      compareRuns([
        { name: 'before', records: records('passed') },
        { name: 'after', records: records('errored') },
      ]),
    )
    expect(text.length).toBeLessThan(60_000)
    expect(text.split('\n').find((line) => line.includes('made-up'))).toContain('regression')
    expect(text).toMatch(/… and \d+ more changes/)
  })

  test('compare prints a matrix for many runs without markup from the target', () => {
    const runs = (['passed', 'failed', 'passed'] as const).map((outcome, index) => ({
      name: `<run ${index}>`,
      records: recordsWith('events.public.status', outcome),
    }))
    const comparison = compareRuns(runs)
    expect(comparisonMarkdown(comparison)).toContain('| other | 2026-03-10 | `events.public.status` | passed | failed | passed |')
    expect(comparisonHtml(comparison)).not.toContain('<run 0>')
    expect(comparisonText(comparison)).toContain('passed → failed → passed')
  })

  test('compare exits with 1 on a regression and on a loss, and with 3 where the last run concluded nothing', () => {
    const written = (name: string, outcome: Outcome | undefined, result?: 'inconclusive') => {
      const directory = join(folder, name)
      const records = recordsWith('events.public.status', outcome)
      const gate = { ...records.run.gate, ...(result ? { result } : {}) }
      writeReports(directory, { ...records, run: { ...records.run, gate } }, [])
      return directory
    }
    const [good, bad] = [written('good', 'passed'), written('bad', 'failed')]
    expect(compareCommand([good, bad], {}).code).toBe(1)
    expect(compareCommand([bad, good], {}).code).toBe(0)
    expect(compareCommand([good, written('lost', 'untested')], {}).code).toBe(1)
    expect(compareCommand([good, written('down', 'errored', 'inconclusive')], {}).code).toBe(3)
    const narrower = compareCommand([good, written('narrower', undefined)], {})
    expect(narrower).toMatchObject({ code: 1, text: expect.stringContaining('2 checks that passed before: not selected') })
    expect(() => compareCommand([good], {})).toThrow('two or more runs')
    expect(() => compareCommand([good, join(folder, 'nowhere')], {})).toThrow('cannot be read as a record')
  })
})

describe('report and merge', () => {
  test('report renders records in the same way as the run itself', () => {
    const directory = join(folder, 'again')
    writeReports(directory, sampleRecords(), ['markdown'])
    const first = readFileSync(join(directory, 'summary.md'), 'utf8')
    expect(reportCommand(directory, { format: ['markdown'] })).toBe(`${join(directory, 'summary.md')}\n`)
    expect(readFileSync(join(directory, 'summary.md'), 'utf8')).toBe(first)
  })

  test('merge joins shards into the same result as a single run', () => {
    const whole = sampleRecords()
    const shards = [0, 1].map((shard) => {
      const directory = join(folder, `shard-${shard}`)
      const reports = whole.reports.map((report) => ({
        ...report,
        checks: report.checks.filter((_, index) => index % 2 === shard),
      }))
      const { crossVersion } = whole.run
      const run = {
        ...whole.run,
        crossVersion: shard === 0 ? crossVersion : { ...crossVersion, checks: [], exchanges: [], differences: [] },
      }
      writeReports(directory, { run, reports }, [])
      return directory
    })
    const out = join(folder, 'merged')
    expect(mergeCommand(shards, { out }, suites).code).toBe(1)
    const merged = readRun(out)
    expect(merged.reports.map(({ totals }) => totals)).toEqual(whole.reports.map(({ totals }) => totals))
    expect(merged.run.verdict).toBe(whole.run.verdict)
    expect(new Set(merged.reports[0]?.exchanges.map(({ id }) => id)).size).toBe(4)
    expect(() => mergeCommand([shards[0] ?? '', shards[0] ?? ''], { out }, suites)).toThrow('was judged in more than one')
  })

  test.each<[string, ShardRecord[], RegExp]>([
    [
      'a missing one',
      [
        { index: 1, of: 3, selection: 'a' },
        { index: 3, of: 3, selection: 'a' },
      ],
      /the shards 2\/3 are missing/,
    ],
    [
      'other selections',
      [
        { index: 1, of: 2, selection: 'a' },
        { index: 2, of: 2, selection: 'b' },
      ],
      /not shards of one run/,
    ],
  ])('merge refuses shards with %s', (_, records, message) => {
    const places = records.map((shard, index) => {
      const directory = join(folder, `refused-${shard.selection}-${index}`)
      const { run, reports } = sampleRecords()
      writeReports(directory, { run: { ...run, shard }, reports: reports.map((report) => ({ ...report, checks: [] })) }, [])
      return directory
    })
    expect(() => mergeCommand(places, { out: join(folder, 'refused') }, suites)).toThrow(message)
  })
})

describe('init and doctor', () => {
  test('init writes a configuration that loads and that doctor accepts except for missing needs', async () => {
    const file = join(folder, 'conformance.config.yaml')
    process.env.OWNER_TOKEN = 'reference-owner-7f3a1c'
    const said = await initCommand({ baseUrl: running.baseUrl, provider: running.providerUrl, config: file }, suites)
    expect(said).toContain('version 2026-03-10: GET /events returned 200')
    expect(loadConfig(file)).toMatchObject({ provider: running.providerUrl, tokens: [{ role: 'owner', login: 'mona' }] })
    const { text, code } = await doctorCommand({ config: file, only: ['events.user'] }, suites)
    delete process.env.OWNER_TOKEN
    expect(code).toBe(1)
    expect(text).toMatch(/accepted +token OWNER_TOKEN \(classic of mona\): .*GET \/notifications returned 200/)
    expect(text).toMatch(/^events +\d+ of \d+ +\d+ %/m)
    expect(text).toMatch(/\+\d+ \(\d+\) {2}token:outsider: add/)
    expect(text).not.toContain('reference-owner')
  })

  test('init never writes an active token of an unknown login, and writes the limit that its configuration reaches', async () => {
    const file = join(folder, 'unknown.yaml')
    process.env.INBOX_USER_TOKEN = 'reference-inbox-user-a80f17'
    const said = await initCommand({ baseUrl: running.baseUrl, config: file }, suites)
    delete process.env.INBOX_USER_TOKEN
    expect(said).toContain('the target does not say whose INBOX_USER_TOKEN is')
    expect(loadConfig(file)).toMatchObject({ tokens: [], gate: { minJudged: expect.any(Number) } })
    expect(loadConfig(file).gate.minJudged).toBeLessThan(10)
  })

  test('init adds a token to a file that exists and keeps the rest of it', async () => {
    const before = `# mine\ntarget: { baseUrl: "${running.baseUrl}" } # here\nareas: [events]\n`
    const file = write('extended.yaml', before)
    process.env.OWNER_TOKEN = 'reference-owner-7f3a1c'
    await initCommand({ baseUrl: running.baseUrl, config: file, login: [{ role: 'owner', login: 'mona' }] }, suites)
    expect(loadConfig(file)).toMatchObject({ areas: ['events'], tokens: [{ role: 'owner', login: 'mona' }] })
    delete process.env.OWNER_TOKEN
    expect(readFileSync(file, 'utf8').split('tokens:')[0]).toBe(before)
    expect(readFileSync(file, 'utf8')).not.toContain('7f3a1c')
  })

  test('init proposes the lines of a dialect where the target refuses the usual media type, and doctor prints the dialect that is used', async () => {
    const words = { mediaType: 'application/vnd.forge+json', headers: { permissions: 'X-Forge-Scopes' } }
    const forge = await startReferenceServer({ words })
    const file = join(folder, 'forge.yaml')
    const said = await initCommand({ baseUrl: forge.baseUrl, config: file }, suites)
    expect(said).toContain('the target seems to use words of its own; lines for a dialect file: mediaType: application/json')
    expect(readFileSync(file, 'utf8')).toContain('  #   mediaType: application/json\n  # dialect: ./dialect.yaml\n')
    write('dialect.yaml', JSON.stringify(words))
    write('forge.yaml', readFileSync(file, 'utf8').replace('# dialect:', 'dialect:'))
    const { text } = await doctorCommand({ config: file, only: ['events.public'] }, suites)
    await forge.close()
    expect(text).toContain('dialect        headers: X-Accepted-Service-Permissions → X-Forge-Scopes\n')
    expect(text).toContain('answers        GET /events returned 200')
  })

  test('init writes nothing for an address without an API', async () => {
    const file = join(folder, 'nowhere.yaml')
    await expect(initCommand({ baseUrl: `${running.baseUrl}/wrong/prefix`, config: file }, suites)).rejects.toThrow(
      'there is no API at',
    )
    expect(existsSync(file)).toBe(false)
  })

  test('doctor names a token that the target rejects', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [repo], secret: nobodys-secret }'
    const file = write('stranger.yaml', `target: { baseUrl: "${running.baseUrl}" }\ntokens:\n  - ${token}\n`)
    const { text, code } = await doctorCommand({ config: file, only: ['events.public.status'] }, suites)
    expect(code).toBe(1)
    expect(text).toContain('A run cannot begin: the target rejects the token TOKEN_OWNER (classic, owner, mona)')
  })

  test('doctor reports that nothing listens', async () => {
    const { text, code } = await doctorCommand({ baseUrl: 'http://127.0.0.1:9', only: ['events.public.status'] }, suites)
    expect(code).toBe(3)
    expect(text).toContain('ECONNREFUSED')
  })
})

test('explain prints the claim, the requirement, its readings, the needs, the faults that are caught, and how the check passes', async () => {
  const text = await explainCommand('events.network.per-page-default', {}, suites)
  expect(text).toContain('limits.per-page-default (Limits')
  expect(text).toMatch(/^ {2}reading A3: {2}On a list with more items than the default, /m)
  expect(text).toContain('source       suites/common/paging.ts, listed in suites/events/feeds.ts')
  expect(text).toContain('needs        public-repository')
  expect(text).toContain(
    'catches      events.network.small-default: GET /networks/{owner}/{repo}/events returns 10 events per page by default.\n',
  )
  expect(text).toMatch(/on the reference server: passed, \d+ subjects? examined/)
})

describe('plan', () => {
  test('plan counts what this configuration would send, in the words of the target, and sends nothing', async () => {
    const dialect = write('words.yaml', 'pathWords: { events: happenings }\n')
    const file = write('plan.yaml', `target: { baseUrl: "${running.baseUrl}", dialect: ${dialect} }\n`)
    const sent = running.server.log.length
    const { versions, writes } = JSON.parse(
      await planCommand({ config: file, area: ['events', 'notifications'], json: true }, suites),
    )
    expect(running.server.log.length).toBe(sent)
    expect(versions.map(({ lane }: { lane: string }) => lane)).toEqual(['2022-11-28', '2026-03-10'])
    // Without a token no notification can be asked for, and nothing is written.
    expect(versions[0].endpoints).toEqual([{ endpoint: 'GET /happenings', requests: expect.any(Number) }])
    expect(versions[0].requests).toBeGreaterThan(10)
    expect(writes).toEqual([])
  })

  test('plan names the writes of a configuration that has what they need, but for a read-only run', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [notifications], secret: reference-owner-7f3a1c }'
    const need = 'needs: { unread-thread: [{ thread_id: "1" }, { thread_id: "2" }, { thread_id: "3" }, { thread_id: "4" }] }'
    const file = write('writes.yaml', `target: { baseUrl: "${running.baseUrl}" }\ntokens:\n  - ${token}\n${need}\n`)
    const planned = async (readOnly: boolean) =>
      JSON.parse(await planCommand({ config: file, area: ['notifications'], readOnly, json: true }, suites)).writes
    expect(await planned(true)).toEqual([])
    expect(await planned(false)).toContainEqual(
      expect.objectContaining({
        endpoint: 'PATCH /notifications/threads/{thread_id}',
        versions: expect.arrayContaining(['2026-03-10']),
      }),
    )
  })
})

describe('provider check', () => {
  const configured = (name: string, module: string) => {
    write(`${name}.mjs`, module)
    return write(`${name}.yaml`, `target: { baseUrl: "${running.baseUrl}" }\nprovider: ./${name}.mjs\n`)
  }

  test('provider check validates each answer, and names functions that no need is called like', async () => {
    const config = configured(
      'answers',
      `export default {
        'public-repository': async () => ({ owner: 'octo-org', repo: 'hello' }),
        organization: async () => ({ name: 'octo-org' }),
        'busy-user': async () => undefined,
        unreadThread: async () => ({}),
      }`,
    )
    const { text, code } = await providerCheckCommand(undefined, { config }, suites)
    expect(code).toBe(1)
    expect(text).toMatch(/^given +public-repository .*{"owner":"octo-org","repo":"hello"}$/m)
    expect(text).toMatch(/^wrong +organization .*must have required property 'org'$/m)
    expect(text).toMatch(/^unsupported +busy-user .*gave nothing$/m)
    expect(text).toContain('"unreadThread", which no check asks for (did you mean "unread-thread"?)')
    expect((await providerCheckCommand('public-repository', { config }, suites)).text.split('\n')).toHaveLength(4)
  })

  test('a need that does not exist and a configuration without a provider are usage errors', async () => {
    const config = configured('empty', 'export default {}')
    await expect(providerCheckCommand('unread-thred', { config }, suites)).rejects.toThrow('did you mean "unread-thread"?')
    const none = write('none.yaml', `target: { baseUrl: "${running.baseUrl}" }\n`)
    await expect(providerCheckCommand(undefined, { config: none }, suites)).rejects.toThrow('there is no provider to check')
  })
})
