import { describe, expect, test } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { reportLanes } from '../../record/report-lanes.ts'
import { coverageOf } from '../../record/verdict.ts'
import { readRun } from '../../report/files/read.ts'
import { sumOf } from '../../text/data.ts'

/** The counts of a lane in the output of `plan`. */
type Counts = Record<'judged' | 'applicable' | 'requests', number>

const { at, server, write, configure } = servedFolder('plan')

/** A token of the owner with a scope, as a configuration has it. */
const tokens = (scope: string) =>
  `tokens: [{ role: owner, kind: classic, login: mona, scopes: [${scope}], secret: reference-owner-7f3a1c }]`

const explained = async (words: string) => (await commandLine(`explain ${words}`)).out
const planned = async (words: string) => (await commandLine(`plan --config ${words}`)).out

test('explain prints the claim, the requirement, its readings, the needs, the faults that are caught, and how the check passes', async () => {
  const text = await explained('events.network.per-page-default')
  expect(text).toContain('limits.per-page-default (Limits')
  expect(text).toMatch(/^ {2}reading A3 {3}On a list with more items than the default, /m)
  expect(text).toContain('source       suites/common/paging.ts')
  expect(text).toContain('needs        public-repository')
  expect(text).toContain(
    'catches      events.network.small-default: GET /networks/{owner}/{repo}/events returns 10 events per page by default.\n',
  )
  expect(text).toMatch(/^ {2}example {6}passed on the embedded reference server, \d+ subjects? examined\.$/m)
  expect(text).toContain('"$TARGET_URL/networks/$OWNER/$REPO/events')
})

test('explain leaves an action to the provider', async () => {
  const lines = (await explained('events.public.old-validator')).split('\n').filter((line) => line.includes('new-event ('))
  expect(lines).toEqual([expect.stringMatching(/: let the provider supply the need "new-event"$/)])
})

test('explain keeps the invented name of a rejected request', async () => {
  const text = await explained('events.user.unknown-username')
  expect(text).toMatch(/"\$TARGET_URL\/users\/\$USERNAME\/events"\n {6}→ 200/)
  expect(text).toMatch(/"\$TARGET_URL\/users\/[\w-]+\/events"\n {6}→ 404/)
})

test('explain prints commands for the target of the configuration, or for the variable TARGET_URL', async () => {
  const stated = write('stated.yaml', 'target: { baseUrl: "${STAGING}/api" }\n')
  expect(await explained(`events.public.status --config ${stated}`)).toContain(`"\${STAGING}/api/events"`)
  expect(await explained(`events.public.status --config ${write('none.yaml', '{}')}`)).toContain(`"$TARGET_URL/events"`)
})

describe('plan', () => {
  test('the checks that plan counts are those that the run judges', async () => {
    const chosen = `${configure(tokens('notifications'))} --only events.public --only notifications.inbox --only versioning.root`
    const { target, versions } = JSON.parse(await planned(`${chosen} --json`))
    expect(target).toBe(server().baseUrl)
    await commandLine(`run --quiet --out ${at('predicted')} --config ${chosen}`)
    const { run, reports } = readRun(at('predicted'))
    const lanes = reportLanes({ run, reports })
    expect(versions.map(({ judged, applicable }: Counts) => ({ judged, applicable }))).toEqual(
      lanes.map(({ report: { checks } }) => {
        const { judged, applicable } = coverageOf(checks)
        return { judged, applicable }
      }),
    )
    const sent = sumOf(lanes, ({ report }) => report.requests.sent)
    const predicted = sumOf<Counts>(versions, ({ requests }) => requests)
    expect(predicted).toBeGreaterThan(sent / 2)
    expect(predicted).toBeLessThan(sent * 2)
  })

  test('plan ends with the address of the target, counts writes beside their endpoint, and folds invented addresses', async () => {
    const words = '--only versioning.*.unblocked-not-451 --only versioning.root* --only events.public'
    const text = await planned(`${configure(tokens('repo'))} ${words}`)
    expect(text.split('\n').at(-2)).toMatch(new RegExp(`^A run sends about \\d+ requests to ${server().baseUrl}, `))
    expect(text).toMatch(/^2022-11-28 +2026-03-10 +across +write +checks of$/m)
    expect(text).toMatch(/^\d+ +\d+( +\d+)? +0 +GET \/events$/m)
    expect(text).toMatch(/^1 +1( +\d+)? +1 +POST \/user\/repos$/m)
    expect(text).not.toContain('nowhere-')
  })

  test('plan counts the checks of this configuration, in the words of the target, and sends no request', async () => {
    const dialect = write('words.yaml', 'pathWords: { events: happenings }\n')
    const file = write('plan.yaml', `target: { baseUrl: "${server().baseUrl}", dialect: ${dialect} }\n`)
    const sent = server().server.log.length
    const { versions, writes } = JSON.parse(await planned(`${file} --area events --area notifications --json`))
    expect(server().server.log.length).toBe(sent)
    expect(versions.map(({ lane }: { lane: string }) => lane)).toEqual(['2022-11-28', '2026-03-10'])
    // Without a token, no notification can be read and no request writes.
    expect(versions[0].endpoints).toEqual([{ endpoint: 'GET /happenings', checks: versions[0].judged }])
    expect(versions[0].judged).toBeGreaterThan(10)
    expect(writes).toEqual([])
  })

  test('plan names the writes of a configuration that has their needs, except for a read-only run', async () => {
    const threads = Array.from({ length: 20 }, (_, index) => `{ thread_id: "${index + 1}" }`)
    const file = configure(`${tokens('notifications')}\nneeds: { unread-thread: [${threads.join(', ')}] }`)
    const writes = async (more: string) => JSON.parse(await planned(`${file} --area notifications --json${more}`)).writes
    expect(await writes(' --read-only')).toEqual([])
    expect(await writes('')).toContainEqual(
      expect.objectContaining({
        endpoint: 'PATCH /notifications/threads/{thread_id}',
        versions: expect.arrayContaining(['2026-03-10']),
      }),
    )
  })
})
