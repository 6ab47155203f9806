import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { closedPort, json, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { type Config, defaults } from '../../config/config.ts'
import { anonymous } from '../../http/exchange/caller.ts'
import type { Waiver } from '../../record/run-record.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { type Check, type CheckDefinition, check, suite } from '../../suite/check.ts'
import type { CheckContext } from '../../suite/context.ts'
import { type NeedMap, need, optional, type Resolved, role } from '../../suite/needs.ts'
import { ProviderFailure } from '../needs/provider-failure.ts'
import { accepts, judge } from './judge.ts'
import type { Session, SessionOptions } from './session.ts'
import { openSession } from './testing/session.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }
const owner = { role: 'owner' as const, kind: 'classic' as const, login: 'mona', secret: 'ghp_s3cret-7f3a' }

const claim = {
  id: 'events.public.claim',
  requirement: 'events.feeds.status',
  level: 'must',
  title: 'claims something',
} as const

/** Judges a check as one of the public feed. */
async function judgedAs(session: Session, definition: Check) {
  return judge(definition, suite({ area: 'events', endpoint: endpoints.publicEvents, checks: [definition] }), session)
}

/** Judges one check that runs `run`. */
async function judged(
  session: Session,
  run: (t: CheckContext) => Promise<void>,
  more: Partial<Omit<CheckDefinition<NeedMap>, 'run'>> = {},
) {
  return judgedAs(session, check({ ...claim, needs: {}, ...more, run }))
}

async function target(config: Partial<Config> = {}, options: Partial<SessionOptions> = {}, respond = served) {
  const { baseUrl } = await scriptedTarget((_, response) => respond(response))
  return openSession(baseUrl, config, options)
}

const served = (response: ServerResponse) => json(response, 200, [])
const examinesNothing = async (t: CheckContext) => void (await t.read(events))
const examinesNoEvent = async (t: CheckContext) => void t.expectAll([], 'event').match('event')
const isServed = async (t: CheckContext) => void t.expect(await t.read(events)).status(200)
const isMissing = async (t: CheckContext) => void t.expect(await t.read(events)).status(404)

describe('a check', () => {
  test('a check passes when its claim is true of at least one subject', async () => {
    const record = await judged(await target(), isServed)
    expect(record).toMatchObject({ outcome: 'passed', subjects: 1, detail: '', missing: [], exchanges: ['x1'] })
    expect(record).not.toHaveProperty('deviation')
  })

  test('a check fails when a must claim is false, and states the expected and the received value', async () => {
    const record = await judged(await target(), isMissing)
    expect(record).toMatchObject({
      outcome: 'failed',
      detail: 'expected 404, got 200 (request without a token)',
      deviation: { expected: '404', actual: '200', exchanges: ['x1'] },
    })
  })

  test('exchanges are listed in the order of their responses, also where another check asked first', async () => {
    const session = await target()
    const [first, second] = [{ ...events }, { ...events, query: { page: 2 } }]
    for (const spec of [first, second]) await session.client.read(spec)
    const record = await judged(session, async (t) => {
      await t.read(second)
      t.expect(await t.read(first)).status(200)
    })
    expect(record.exchanges).toEqual(['x1', 'x2'])
  })

  test('a check warns when a should claim is false', async () => {
    expect(await judged(await target(), isMissing, { level: 'should' })).toMatchObject({ outcome: 'warned', level: 'should' })
  })

  test.each([
    ['it examined nothing', examinesNothing, 'no response has a subject of this claim'],
    ['a list contains no item', examinesNoEvent, 'there was no event to examine'],
  ])('a check is untested when %s', async (_, run, detail) => {
    const record = await judged(await target(), run)
    expect(record).toMatchObject({ outcome: 'untested', subjects: 0, detail, missing: [] })
    expect(record.reason).toEqual({ code: 'nothing-to-examine' })
  })

  test('a check without its needs is untested, names all of them and sends nothing', async () => {
    const session = await target()
    const busy = need('busy-user')
    const needs = { owner: role('owner'), busy, another: busy, member: optional(role('member')) }
    const record = await judged(session, isServed, { needs })
    expect(record).toMatchObject({ outcome: 'untested', missing: ['token:owner', 'busy-user'] })
    expect(record.reason).toMatchObject({ code: 'missing-need', needs: [{ need: 'token:owner' }, { need: 'busy-user' }] })
    expect(record.detail).toMatch(/needs token:owner: add .*; needs busy-user: give it under needs\.busy-user[^;]*$/)
    expect(session.client.totals.sent).toBe(0)
  })

  test('a check is untested when it says so during its run, and names the need', async () => {
    const record = await judged(await target(), async (t) => t.untested('the list is empty', 'unread-thread'))
    expect(record).toMatchObject({ outcome: 'untested', missing: ['unread-thread'] })
    expect(record.detail).toMatch(/^the list is empty; needs unread-thread: /)
  })

  test('a check with a useless value of a need says so, and states the wanted value', async () => {
    const given = { given: { owner: 'ada', repo: 'diary' } }
    const provider = { ask: async () => given, release: async () => {} }
    const run = async (t: CheckContext) => {
      await t.ask('private-repository', {})
      t.untested('no private event is known', 'private-repository')
    }
    expect(await judged(await target({}, { provider }), run)).toMatchObject({
      detail: expect.stringMatching(/^no private event is known; private-repository needs a fitting value: A private/),
      missing: ['private-repository'],
    })
    const declared = { needs: { secret: need('private-repository') } }
    const session = await target({ needs: { 'private-repository': given.given } })
    const unfit = await judged(session, async (t) => t.untested('it is empty', 'private-repository'), declared)
    expect(unfit.detail).toContain('it is empty; private-repository needs a fitting value: A private')
    expect(unfit.reason).toMatchObject({
      code: 'unfit-need',
      needs: [{ need: 'private-repository', unfit: true, found: 'it is empty', holds: expect.stringMatching(/^A private/) }],
    })
  })

  test('a check receives its needs', async () => {
    const session = await target({ tokens: [owner], needs: { organization: { org: 'octo-org' } } })
    const seen: unknown[] = []
    const needs = { owner: role('owner'), at: need('organization'), member: optional(role('member')) }
    const run = async (_: CheckContext, given: Resolved<typeof needs>) =>
      void seen.push(given.owner.login, given.at.org, given.member)
    await judgedAs(session, check({ ...claim, needs, run }))
    expect(seen).toEqual(['mona', 'octo-org', undefined])
  })
})

describe('inapplicable checks', () => {
  test('a check is inapplicable in a version that its claim does not cover', async () => {
    const record = await judged(await target(), isServed, { versions: ['2022-11-28'] })
    expect(record).toMatchObject({ outcome: 'inapplicable', detail: 'applies only to 2022-11-28' })
    expect(record.reason).toEqual({ code: 'not-in-version', versions: ['2022-11-28'] })
  })

  test('a check is inapplicable to an endpoint that the target does not offer', async () => {
    const record = await judged(await target({ claims: { except: ['GET /events'] } }), isServed)
    expect(record).toMatchObject({ outcome: 'inapplicable', detail: expect.stringContaining('claims.except') })
    expect(record.reason).toEqual({ code: 'not-claimed', endpoint: 'GET /events' })
  })

  test('a check that writes is inapplicable in a read-only run', async () => {
    const session = await target({}, { readOnly: true })
    const reason = { code: 'left-out', by: 'read-only' }
    expect(await judged(session, isServed, { writes: true })).toMatchObject({ outcome: 'inapplicable', reason })
    expect(await judged(session, isServed)).toMatchObject({ outcome: 'passed' })
  })
})

describe('requests that the run does not send', () => {
  const writes = async (t: CheckContext) => void (await t.send({ endpoint: endpoints.markNotificationsRead, as: anonymous }))

  test.each([
    ['an undeclared write of a read-only run', { readOnly: true }, writes, 'read-only'],
    ['a request above the limit of the run', { maxRequests: 0 }, isServed, 'request-limit'],
  ])('%s leaves its check untested', async (_, options, run, by) => {
    const record = await judged(await target({}, options), run)
    expect(record).toMatchObject({ outcome: 'untested', reason: { code: 'left-out', by } })
  })
})

describe('errored checks', () => {
  const brief = { limits: { ...defaults.limits, timeoutSeconds: 0.2 } }
  const interrupted = { signal: AbortSignal.abort(new Error('the run was interrupted')) }

  test.each([
    ['the response does not come in time', () => target(brief, {}, () => {}), 'timeout', /tried 3 times/],
    ['the target does not respond', async () => openSession(await closedPort()), 'unreachable', /ECONNREFUSED.*tried 3 times/],
    ['the run was interrupted', () => target({}, interrupted), 'interrupted', /^the run was interrupted$/],
  ])('a check is errored when %s', async (_, open, code, message) => {
    const record = await judged(await open(), isServed)
    expect(record).toMatchObject({ outcome: 'errored', detail: expect.stringMatching(message) })
    expect(record.reason).toEqual({ code })
  })

  test('a check is errored when the provider fails', async () => {
    const provider = { ask: () => Promise.reject(new ProviderFailure('it failed')), release: async () => {} }
    const record = await judged(await target({}, { provider }), isServed, { needs: { busy: need('busy-user') } })
    expect(record).toMatchObject({ outcome: 'errored', reason: { code: 'provider-failure' } })
  })

  test.each([
    [429, 'untested', endpoints.publicEvents, { code: 'throttled', status: 429, caller: 'anonymous' }],
    [502, 'errored', endpoints.publicEvents, { code: 'server-unavailable', status: 502 }],
    [504, 'errored', endpoints.publicEvents, { code: 'server-unavailable', status: 504 }],
    [503, 'untested', endpoints.publicEvents, {}],
    [503, 'errored', endpoints.listMigrations, {}],
  ])('the check of a target that keeps responding %i is %s for $2.path', async (status, outcome, endpoint, reason) => {
    const session = await target({}, {}, (response) => json(response, status, {}))
    const isRead = async (t: CheckContext) => void t.expect(await t.read({ ...events, endpoint })).status(200)
    const detail = expect.stringContaining(`answered ${status}`)
    expect(await judged(session, isRead)).toMatchObject({ outcome, reason, detail })
  })

  test.each([
    ['is itself at fault', async () => void JSON.parse('{'), /^an error in the suite, not in the target: SyntaxError/],
    ['throws something that is not an error', async () => Promise.reject('a text'), /an error in the suite.*"a text"/],
  ])('a check is errored when the suite %s, and the message says so', async (_, run, message) => {
    const detail = expect.stringMatching(message)
    expect(await judged(await target(), run)).toMatchObject({ outcome: 'errored', reason: { code: 'suite-error' }, detail })
  })
})

describe('a waiver', () => {
  const waiver: Waiver = {
    check: 'events.public.claim',
    reason: 'known',
    owner: 'mona',
    link: 'L-1',
    expires: '2026-11-20',
  }

  test('a waiver turns a failure into waived up to and including its last day', async () => {
    const record = await judged(await target({ waivers: [waiver] }), isMissing)
    expect(record).toMatchObject({
      outcome: 'waived',
      detail: 'expected 404, got 200 (request without a token) (waived until 2026-11-20: known)',
    })
    expect(record.deviation).toBeDefined()
  })

  test('a waiver that has expired, or is for another check or version, covers nothing', async () => {
    const useless: Waiver[] = [
      { ...waiver, expires: '2026-11-19' },
      { ...waiver, check: 'events.public.clai' },
      { ...waiver, versions: ['2022-11-28'] },
    ]
    expect(await judged(await target({ waivers: useless }), isMissing)).toMatchObject({ outcome: 'failed' })
  })

  test('a waiver leaves a pass unchanged', async () => {
    expect(await judged(await target({ waivers: [waiver] }), isServed)).toMatchObject({ outcome: 'passed' })
  })

  test('a waiver covers whole calendar days, at any hour', () => {
    const late = new Date('2026-11-20T23:59:59Z')
    expect(accepts(waiver, waiver.check, '2026-03-10', late)).toBe(true)
    expect(accepts(waiver, waiver.check, '2026-03-10', new Date('2026-11-21T00:00:00Z'))).toBe(false)
    expect(accepts({ ...waiver, versions: ['2026-03-10'] }, waiver.check, '2026-03-10', late)).toBe(true)
  })
})

describe('the record', () => {
  const echo = (text: string) => async (t: CheckContext) =>
    t.deviation({ expected: `not ${text}`, actual: text, pointer: `/${text}`, exchanges: [await t.send(events)] })

  test('the record contains no secret in any form in which the target echoes it', async () => {
    const session = await target({ tokens: [owner] })
    for (const text of [owner.secret, encodeURIComponent(owner.secret), Buffer.from(owner.secret).toString('base64')]) {
      const { detail, deviation } = await judged(session, echo(text))
      expect(detail).toBe('expected not $OWNER_TOKEN, got $OWNER_TOKEN (request without a token)')
      expect(deviation).toMatchObject({ expected: 'not $OWNER_TOKEN', actual: '$OWNER_TOKEN', pointer: '/$OWNER_TOKEN' })
    }
  })

  test('the record keeps its id and title even when a secret is a common word', async () => {
    const session = await target({ tokens: [{ ...owner, secret: 'events' }] })
    const record = await judged(session, isServed, { title: 'shows events' })
    expect(record).toMatchObject({ id: 'events.public.claim', title: 'shows events', area: 'events', endpoint: 'GET /events' })
  })

  test('the record escapes and cuts the text of the target, so that it has no effect on a terminal', async () => {
    const { detail, deviation } = await judged(await target(), echo(`\u001b[2J${'x'.repeat(10_000)}`))
    expect(deviation?.actual).toMatch(/^\\u001b\[2Jx+…$/)
    expect(detail.length).toBeLessThan(2100)
  })
})

describe('objects created by a check', () => {
  test('objects created by a check are removed in reverse order, however the check ended', async () => {
    const undone: string[] = []
    await judged(await target(), async (t) => {
      t.cleanUp('a gist', async () => undone.push('gist'))
      t.cleanUp('a comment', async () => undone.push('comment'))
      t.deviation({ expected: 'a', actual: 'b', exchanges: [] })
    })
    expect(undone).toEqual(['comment', 'gist'])
  })

  test('an object that cannot be removed is reported as left behind', async () => {
    const session = await target()
    const record = await judged(session, async (t) => {
      t.cleanUp('a gist', () => Promise.reject(new Error('refused')))
      await isServed(t)
    })
    expect(record.outcome).toBe('passed')
    expect(session.leftBehind).toEqual(['a gist'])
  })
})
