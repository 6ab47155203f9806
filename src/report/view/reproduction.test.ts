import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findFault } from '../../../fixtures/reference/faults/index.ts'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { suites } from '../../../suites/index.ts'
import { defaults } from '../../config/config.ts'
import { VirtualClock } from '../../http/transport/time/test-clock.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { judge } from '../../run/judge/judge.ts'
import { openSession } from '../../run/judge/session.ts'
import { findCheck } from '../../run/selection/selection.ts'
import { curlOf, reproductionOf } from './reproduction.ts'

const run = promisify(execFile)

const { at } = temporaryFolder('curl')

/** Runs a script in a shell that has only the given variables and a folder of its own; resolves to its output. */
async function paste(script: readonly string[], variables: Record<string, string> = {}) {
  const { stdout } = await run('bash', ['-c', script.join('\n')], {
    cwd: mkdtempSync(at('shell-')),
    env: { PATH: process.env.PATH, ...variables },
  })
  return stdout
}

/** Judges one check on a reference server with a fault, its tokens configured from variables. */
async function deviating(id: string, fault: string) {
  const clock = new VirtualClock(Date.now())
  const running = await startReferenceServer({ tampers: [findFault(fault)], clock })
  onTestFinished(() => running.close())
  const configured = running.configure(defaults)
  const named = configured.tokens.map((token) => ({
    ...token,
    variable: `MY_${(token.role ?? token.kind).toUpperCase().replaceAll('-', '_')}`,
  }))
  const session = await openSession({ ...configured, tokens: named }, '2026-03-10', { clock })
  onTestFinished(async () => void (await session.release()))
  const { check, suite } = findCheck(suites, id)
  const record = await judge(check, suite, session)
  expect(record.outcome).toBe('failed')
  const script = reproductionOf(record, session.exchanges.records)
  const variables = Object.fromEntries(named.map(({ variable, secret }) => [variable, secret]))
  return { record, script, variables }
}

describe('the script of a deviation, pasted into a shell', () => {
  test('a read repeats the deviation, with the token of the configured variable', async () => {
    const { script, variables } = await deviating('events.public.event-shape', 'events.public.no-display-login')
    expect(script.join('\n')).toContain('-H "Authorization: Bearer $MY_OWNER"')
    const shown = await paste(script, variables)
    expect(shown).toMatch(/^HTTP\/1.1 200 /)
    expect(shown).toContain('"login"')
    expect(shown).not.toContain('display_login')
  })

  test('a write repeats the deviation, with its body', async () => {
    const { script, variables } = await deviating('migrations.start.status', 'migrations.start.status-200')
    const shown = await paste(script, variables)
    expect(shown).toMatch(/^HTTP\/1.1 200 /m)
    expect(shown).not.toMatch(/^HTTP\/1.1 201 /m)
  })

  test('the steps of an effect come in their order, each with its number', async () => {
    const { script, variables } = await deviating('notifications.mark-thread.marks-read', 'notifications.mark-thread.not-kept')
    const steps = script.filter((line) => line.startsWith('# step '))
    expect(steps.length).toBeGreaterThan(1)
    expect(steps[0]).toMatch(/^# step 1 of \d+: \d{3} was returned/)
    expect(script.some((line) => line.includes('-X PATCH'))).toBe(true)
    expect(script.some((line) => /^# unread-thread: \{"thread_id":"\d+".* was made by the provider/.test(line))).toBe(true)
    expect(await paste(script, variables)).toMatch(/^HTTP\/1.1 205 /m)
  })

  test('an archive is downloaded from the address that the target redirects to now', async () => {
    const { script, variables } = await deviating('migrations.archive.readable', 'migrations.archive.empty')
    expect(script.join('\n')).toMatch(/^ARCHIVE_ADDRESS=\$\(curl .*\n(# .*\n)?curl .* "\$ARCHIVE_ADDRESS"$/m)
    expect(await paste(script, variables)).toMatch(/HTTP\/1\.1 200 OK\r\n(\S+: .*\r\n)*Content-Type: application\/gzip\r\n/)
  })

  test('a token that the provider made is named with how to make it again', async () => {
    const { script, record } = await deviating(
      'permissions.put-orgs-blocks-username.app-user-read-only',
      'permissions.put-orgs-blocks-username.read-writes',
    )
    const name = /Bearer \$(APP_USER\w+_TOKEN)/.exec(script.join('\n'))?.[1]
    expect(script.find((line) => line.startsWith(`# ${name}:`))).toContain(
      'the provider makes one for the need token with {"kind":"app-user"',
    )
    expect(JSON.stringify(record)).not.toContain('reference-')
  })
})

describe('a curl command', () => {
  const request: ExchangeRecord['request'] = { method: 'GET', url: 'http://127.0.0.1:1/events', headers: [] }
  const response = { status: 200, headers: [], body: '', bodyBytes: 0, bodySha256: '', truncated: false }
  const exchange = (more: Partial<ExchangeRecord['request']>) => ({
    id: 'x1',
    endpoint: 'GET /events',
    as: 'OWNER_TOKEN',
    durationMs: 1,
    request: { ...request, ...more },
    response,
  })

  test('no header is sent that the recorded request has not', () => {
    expect(curlOf(exchange({ method: 'POST', body: '{}' }))).toBe(
      "curl -sS -i -w '\\n' -X POST -H 'Accept:' -H 'Content-Type:' --data-raw '{}' 'http://127.0.0.1:1/events'",
    )
  })

  test.each([
    ['a quote', { url: "http://127.0.0.1:1/'$(id)" }, "'http://127.0.0.1:1/'\\''$(id)'"],
    ['brackets', { url: 'http://127.0.0.1:1/[1-9]' }, ' -g '],
    ['a variable of another program', { headers: [['Authorization', 'Bearer $HOME']] as const }, "'Authorization: Bearer $HOME'"],
    ['an empty header', { headers: [['Accept', '']] as const }, "-H 'Accept;'"],
    ['a request for headers alone', { method: 'HEAD' }, ' --head '],
  ])('%s reaches the server as recorded', (_, more, text) => expect(curlOf(exchange(more as never))).toContain(text))

  test('a long reproduction is cut to the evidence if that includes its own writes', () => {
    const all = Array.from({ length: 20 }, (_, index) => {
      const url = `http://127.0.0.1:1/threads/${index}`
      return { ...exchange({ url, method: index === 19 ? 'GET' : 'PATCH' }), id: `x${index}` }
    })
    const script = (shown: readonly string[], used = all) => {
      const check = { exchanges: used.map(({ id }) => id), deviation: { expected: '', actual: '', exchanges: shown } }
      return reproductionOf(check as unknown as CheckRecord, used).filter((line) => line.startsWith('curl'))
    }
    expect(script(['x17', 'x19']).map((line) => line.match(/threads\/\d+/)?.[0])).toEqual([
      'threads/17',
      'threads/18',
      'threads/19',
    ])
    expect(script(['x19'])).toHaveLength(12)
    expect(script(['x17', 'x19'], all.slice(-10))).toHaveLength(10)
  })

  test('a variable that the target wrote into an address is not expanded', async () => {
    const check = { exchanges: ['x1'], deviation: { expected: '', actual: '', exchanges: ['x1'] } } as unknown as CheckRecord
    const script = reproductionOf(check, [exchange({ url: 'http://127.0.0.1:1/$OWNER_TOKEN' })])
    expect(await paste(['curl() { printf "%s\\n" "$@"; }', ...script], { OWNER_TOKEN: 'secret' })).not.toContain('secret')
  })
})
