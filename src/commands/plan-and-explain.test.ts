import { describe, expect, test } from 'vitest'
import { servedFolder } from '../../fixtures/proof/served-folder.ts'
import { suites } from '../../suites/index.ts'
import { explainCommand } from './actions/explain.ts'
import { planCommand } from './actions/plan.ts'

const { server, write } = servedFolder('plan')

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
    const file = write('plan.yaml', `target: { baseUrl: "${server().baseUrl}", dialect: ${dialect} }\n`)
    const sent = server().server.log.length
    const { versions, writes } = JSON.parse(
      await planCommand({ config: file, area: ['events', 'notifications'], json: true }, suites),
    )
    expect(server().server.log.length).toBe(sent)
    expect(versions.map(({ lane }: { lane: string }) => lane)).toEqual(['2022-11-28', '2026-03-10'])
    // Without a token no notification can be asked for, and nothing is written.
    expect(versions[0].endpoints).toEqual([{ endpoint: 'GET /happenings', requests: expect.any(Number) }])
    expect(versions[0].requests).toBeGreaterThan(10)
    expect(writes).toEqual([])
  })

  test('plan names the writes of a configuration that has what they need, but for a read-only run', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [notifications], secret: reference-owner-7f3a1c }'
    const need = 'needs: { unread-thread: [{ thread_id: "1" }, { thread_id: "2" }, { thread_id: "3" }, { thread_id: "4" }] }'
    const file = write('writes.yaml', `target: { baseUrl: "${server().baseUrl}" }\ntokens:\n  - ${token}\n${need}\n`)
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
