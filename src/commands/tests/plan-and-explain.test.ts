import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { suites } from '../../../suites/index.ts'
import { reportLanes } from '../../record/report-lanes.ts'
import { coverageOf } from '../../record/verdict.ts'
import { readRun } from '../../report/files/read.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { sumOf } from '../../text/data.ts'
import { outputTo } from '../common/streams.ts'
import { explainCommand } from '../explain.ts'
import { planCommand } from '../plan.ts'
import { runCommand } from '../run.ts'

const catalogue = new Catalogue(suites)

/** The counts of a lane in the output of `plan`. */
interface Counts {
  readonly judged: number
  readonly applicable: number
  readonly requests: number
}

const { folder, server, write } = servedFolder('plan')

test('explain prints the claim, the requirement, its readings, the needs, the faults that are caught, and how the check passes', async () => {
  const text = await explainCommand('events.network.per-page-default', {}, catalogue)
  expect(text).toContain('limits.per-page-default (Limits')
  expect(text).toMatch(/^ {2}reading A3 {3}On a list with more items than the default, /m)
  expect(text).toContain('source       suites/common/paging.ts, listed in suites/events/index.ts')
  expect(text).toContain('needs        public-repository')
  expect(text).toContain(
    'catches      events.network.small-default: GET /networks/{owner}/{repo}/events returns 10 events per page by default.\n',
  )
  expect(text).toMatch(/^ {2}example {6}passed on the embedded reference server, \d+ subjects? examined\.$/m)
  expect(text).toContain('"$TARGET_URL/networks/$OWNER/$REPO/events')
})

test('explain leaves an action to the provider', async () => {
  const lines = (await explainCommand('events.public.old-validator', {}, catalogue))
    .split('\n')
    .filter((line) => line.includes('new-event ('))
  expect(lines).toEqual([expect.stringMatching(/: let the provider supply the need "new-event"$/)])
})

test('explain keeps the invented name of a rejected request', async () => {
  const text = await explainCommand('events.user.unknown-username', {}, catalogue)
  expect(text).toMatch(/"\$TARGET_URL\/users\/\$USERNAME\/events"\n {6}→ 200/)
  expect(text).toMatch(/"\$TARGET_URL\/users\/[\w-]+\/events"\n {6}→ 404/)
})

test('explain prints commands for the target of the configuration, or for the variable TARGET_URL', async () => {
  const config = write('stated.yaml', 'target: { baseUrl: "${STAGING}/api" }\n')
  expect(await explainCommand('events.public.status', { config }, catalogue)).toContain(`"\${STAGING}/api/events"`)
  expect(await explainCommand('events.public.status', { config: write('none.yaml', '{}') }, catalogue)).toContain(
    `"$TARGET_URL/events"`,
  )
})

describe('plan', () => {
  test('the checks that plan counts are those that the run judges', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [notifications], secret: reference-owner-7f3a1c }'
    const file = write('predicted.yaml', `target: { baseUrl: "${server().baseUrl}" }\ntokens: [${token}]\n`)
    const options = { config: file, only: ['events.public', 'notifications.inbox', 'versioning.root'] }
    const { target, versions } = JSON.parse(await planCommand({ ...options, json: true }, catalogue))
    expect(target).toBe(server().baseUrl)
    const out = join(folder, 'predicted')
    await runCommand({ ...options, out, quiet: true }, catalogue, outputTo({ print: () => {}, warn: () => {} }))
    const { run, reports } = readRun(out)
    const lanes = reportLanes({ run, reports })
    expect(versions.map(({ judged, applicable }: Counts) => ({ judged, applicable }))).toEqual(
      lanes.map(({ report: { checks } }) => {
        const { judged, applicable } = coverageOf(checks)
        return { judged, applicable }
      }),
    )
    const [sent, predicted] = [
      sumOf(lanes, ({ report }) => report.requests.sent),
      sumOf<Counts>(versions, ({ requests }) => requests),
    ]
    expect(predicted).toBeGreaterThan(sent / 2)
    expect(predicted).toBeLessThan(sent * 2)
  })

  test('plan ends with the number of requests and the address of the target, and counts writes beside their endpoint', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [repo], secret: reference-owner-7f3a1c }'
    const { baseUrl } = server()
    const file = write('ends.yaml', `target: { baseUrl: "${baseUrl}" }\ntokens: [${token}]\n`)
    const text = await planCommand({ config: file, only: ['versioning.*.unblocked-not-451', 'events.public'] }, catalogue)
    expect(text.split('\n').at(-2)).toMatch(new RegExp(`^A run sends about \\d+ requests to ${baseUrl}, `))
    expect(text).toMatch(/^\d+ +\d+ +0 +GET \/events$/m)
    expect(text).toMatch(/^1 +1 +1 +POST \/user\/repos$/m)
  })

  test('plan folds the addresses that each run invents, and begins each row with its numbers', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [repo], secret: reference-owner-7f3a1c }'
    const file = write('folded.yaml', `target: { baseUrl: "${server().baseUrl}" }\ntokens: [${token}]\n`)
    const text = await planCommand({ config: file, only: ['versioning.*.unblocked-not-451', 'versioning.root*'] }, catalogue)
    expect(text).toMatch(/^2022-11-28 +2026-03-10 +across +write +checks of$/m)
    expect(text).not.toContain('nowhere-')
  })

  test('plan counts the checks of this configuration, in the words of the target, and sends no request', async () => {
    const dialect = write('words.yaml', 'pathWords: { events: happenings }\n')
    const file = write('plan.yaml', `target: { baseUrl: "${server().baseUrl}", dialect: ${dialect} }\n`)
    const sent = server().server.log.length
    const { versions, writes } = JSON.parse(
      await planCommand({ config: file, area: ['events', 'notifications'], json: true }, catalogue),
    )
    expect(server().server.log.length).toBe(sent)
    expect(versions.map(({ lane }: { lane: string }) => lane)).toEqual(['2022-11-28', '2026-03-10'])
    // Without a token, no notification can be read and no request writes.
    expect(versions[0].endpoints).toEqual([{ endpoint: 'GET /happenings', checks: versions[0].judged }])
    expect(versions[0].judged).toBeGreaterThan(10)
    expect(writes).toEqual([])
  })

  test('plan names the writes of a configuration that has their needs, except for a read-only run', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [notifications], secret: reference-owner-7f3a1c }'
    const threads = Array.from({ length: 20 }, (_, index) => `{ thread_id: "${index + 1}" }`)
    const need = `needs: { unread-thread: [${threads.join(', ')}] }`
    const file = write('writes.yaml', `target: { baseUrl: "${server().baseUrl}" }\ntokens:\n  - ${token}\n${need}\n`)
    const planned = async (options: { readOnly?: true }) =>
      JSON.parse(await planCommand({ config: file, area: ['notifications'], ...options, json: true }, catalogue)).writes
    expect(await planned({ readOnly: true })).toEqual([])
    expect(await planned({})).toContainEqual(
      expect.objectContaining({
        endpoint: 'PATCH /notifications/threads/{thread_id}',
        versions: expect.arrayContaining(['2026-03-10']),
      }),
    )
  })
})
