import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { isLatest } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { loginOf, type Resolved } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { embeddedRemovals, removedFieldChecks } from '../../common/removed-fields.ts'
import { mediaTypeCheck } from '../../common/served.ts'
import { accessChecks, tryEveryone } from '../common/access.ts'
import * as common from '../common/every-migration.ts'
import {
  bodyOf,
  expectNoStrangers,
  expectRepositories,
  membersOf,
  migratedRepositories,
} from '../common/forms.ts'
import { unlocking } from '../common/lock-state.ts'
import * as migrated from '../common/migration-state.ts'
import * as requests from '../common/start-request.ts'
import * as made from '../common/started-migrations.ts'
import { refusedBodyChecks } from './refused-bodies.ts'

const endpoint = endpoints.startMigration
const start = made.onMigrations('start', endpoint, made.needs)
const ofSecond = start.with({ needs: made.twoRepositories })
const ofMetadata = start.with({ requirement: 'migrations.start.org-metadata-only' })
const ofExclude = start.with({
  requirement: 'migrations.start.exclude',
  schedule: 'afterwards',
})
const every = start.with({ schedule: 'afterwards', conclusive: true })
const reading = [endpoints.getMigration, endpoints.listMigrations]
const alone = start.with({ schedule: 'alone' })

export default start.suite([
  every.check('status', 'returns 201 for a valid request body', async (t, resolved) => {
    const started = await made.plain(t, resolved)
    await requests.excuseLimit(t, resolved, started)
    // A running migration may be returned again for the same wish.
    const first = await requests.firstStarts(t, ({ body }) => wishOf(body))
    for (const { response } of [started, ...first]) t.expect(response).status(201)
  }),
  every.check(
    'distinct',
    'creates a migration with its own id and guid for each different request',
    async (t, resolved) => {
      for (const started of [
        await made.plain(t, resolved),
        await made.flagged(t, resolved, 'exclude_releases'),
      ])
        made.idOf(t, started)
      expectDistinct(t, await requests.firstStarts(t))
    },
  ),
  mediaTypeCheck(start, async (t, resolved) => {
    const { response, id } = await made.plain(t, resolved)
    return id === undefined
      ? t.untested(`no migration was started (${response.status})`)
      : [response]
  }),
  ...common.migrationChecks(every, (t, resolved) =>
    allStarted(t, resolved, ({ body }) => !('exclude' in body)),
  ),
  every.check('pending', 'starts every migration in the state pending', async (t, resolved) => {
    // A running migration may be returned again for the same wish.
    const ofId: typeof requests.wishAndId = ({ response }) => requests.idIn(response)
    const states = membersOf(await allStarted(t, resolved, undefined, ofId), 'state')
    t.expectAll(states, 'state').satisfy('pending', (state) => state === 'pending')
  }),
  every.check(
    'owner',
    'returns the caller as the owner of every migration',
    { also: { login: loginOf('owner') } },
    async (t, resolved, { login }) => {
      const logins = membersOf(membersOf(await allStarted(t, resolved), 'owner'), 'login')
      t.expectAll(logins, 'owner').satisfy(
        login,
        (value) => String(value).toLowerCase() === login.toLowerCase(),
      )
    },
  ),
  every.check(
    'created-now',
    'returns the time of the request as created_at',
    { requirement: 'migrations.start.created-now', level: 'should' },
    async (t, resolved) => {
      const instants = membersOf(await allStarted(t, resolved), 'created_at')
      for (const { value, exchange, pointer } of instants) {
        const date = exchange.header('date') ?? ''
        const isOff = Math.abs(Date.parse(String(value)) - Date.parse(date)) > smallestOffset
        if (isOff)
          t.deviation({
            expected: `about ${date}`,
            actual: String(value),
            pointer,
            exchanges: [exchange],
          })
      }
      t.examined(instants.length)
    },
  ),
  ofSecond
    .with({ schedule: 'afterwards' })
    .check('repositories', 'lists no repository that was not requested', async (t, resolved) => {
      await made.plain(t, resolved)
      await made.metadataOnly(t, resolved.owner)
      expectNoneElse(t, resolved, await common.returnedMigrations(t, endpoint))
    }),
  ofSecond.check(
    'several-repositories',
    'lists exactly the requested repositories once exported, even after an unlock',
    { requirement: 'migrations.start.repositories', schedule: 'afterwards' },
    async (t, resolved) => {
      const { owner } = resolved
      const started = await made.ofTwo(t, resolved)
      const { started: unlocked } = (await unlessUntested(unlocking(t, resolved))) ?? {}
      const further = [await made.withExclude(t, resolved), ...(unlocked ? [unlocked] : [])]
      for (const flag of ['exclude_metadata', 'exclude_git_data'])
        further.push(await made.flagged(t, resolved, flag))
      const all = [
        started,
        await made.plain(t, resolved),
        ...further.filter(({ id }) => id !== undefined),
      ]
      for (const each of all) {
        const wanted = await migrated.exported(t, owner, each)
        const single = bodyOf((await migrated.exportedState(t, owner, wanted)).response)
        const { migration = single } = await migrated.awaitListed(t, owner, wanted, 'exported')
        for (const list of membersOf([single, migration], 'repositories'))
          expectRepositories(t, list, each.repositories)
      }
      for (const endpoint of reading)
        expectNoneElse(t, resolved, await common.returnedMigrations(t, endpoint))
    },
  ),
  ofMetadata.check(
    'metadata-only',
    'accepts an empty list of repositories with org_metadata_only',
    async (t, resolved) => {
      const started = await made.metadataOnly(t, resolved.owner)
      await requests.expectStarted(t, resolved, started, 'org_metadata_only')
      t.expect(started.response).status(201)
    },
  ),
  ...common.withoutRepositories(ofExclude, {
    whole: async (t, resolved) => (await made.plain(t, resolved)).response,
    read: async (t, resolved) => {
      const started = await made.withExclude(t, resolved)
      await requests.excuseSpam(t, resolved, started)
      return [started.response]
    },
    further: async (t) => {
      const besideLocks = (await requests.firstStarts(t)).filter(
        ({ body }) => 'exclude' in body && body.lock_repositories === true,
      )
      return [besideLocks.map(({ response }) => response)]
    },
  }),
  common.flagsAcceptedCheck(start),
  common.flagsCheck(start, endpoint),
  ...refusedBodyChecks(start),
  ...accessChecks(alone, async (t, resolved) => {
    await made.plainId(t, resolved)
    const { id } = await made.metadataOnly(t, resolved.owner)
    // Each version has another body, if the owner is served.
    const isOfNone = id !== undefined && isLatest(t)
    return requestFor(
      resolved.repository,
      isOfNone ? { repositories: [], org_metadata_only: true } : {},
    )
  }),
  alone.check(
    'refused-tokens-without-effect',
    'starts no migration for a rejected token',
    'migrations.access.no-effect',
    async (t, resolved) => {
      await migrated.requireListed(t, resolved.owner, await made.plain(t, resolved))
      const request = requestFor(resolved.repository, {
        ...requests.marked,
        lock_repositories: isLatest(t),
      })
      // Another user may start migrations.
      const others = { outsider: undefined }
      await requests.expectNoneStarted(t, resolved.owner, () => tryEveryone(t, request, others))
    },
  ),
  ...removedFieldChecks(start.with({ writes: false }), {
    fields: [embeddedRemovals.squashTitle],
    also: migratedRepositories,
    read: made.plain,
  }),
])

/** The migrations in the first 201 of each accepted request. */
async function allStarted(
  t: CheckContext,
  resolved: made.MigrationNeeds,
  isWanted = (_: { body: object }) => true,
  keyOf?: typeof requests.wishAndId,
) {
  await made.plain(t, resolved)
  return (await requests.firstStarts(t, keyOf))
    .filter(isWanted)
    .map(({ response }) => bodyOf(response))
}

type Returned = Awaited<ReturnType<typeof common.returnedMigrations>>

/** No migration of the run contains a repository that its request did not name, in any state (readings E25). */
function expectNoneElse(
  t: CheckContext,
  two: Resolved<typeof made.twoRepositories>,
  returned: Returned,
) {
  for (const { body, migration } of returned) {
    const names = String(body.repositories).split(',')
    const wanted = made
      .repositoriesOf(two)
      .filter((each) => names.includes(each.repo) || names.includes(requests.fullName(each)))
    for (const list of membersOf([migration], 'repositories'))
      if (Array.isArray(list.value)) expectNoStrangers(t, list, wanted)
  }
}

/** Clocks of one target differ by less than the offsets of two time zones. Milliseconds. */
const smallestOffset = 14 * 60e3

/** Each migration has its own id and guid: two different requests never get the same. */
function expectDistinct(t: CheckContext, starts: Awaited<ReturnType<typeof requests.firstStarts>>) {
  for (const name of ['id', 'guid']) {
    const known = new Map<string, (typeof starts)[number]>()
    for (const start of starts) {
      const { response, body } = start
      const member = isObject(response.json) ? response.json[name] : ''
      if (member === undefined || (typeof member === 'number' && !Number.isSafeInteger(member)))
        continue
      const value = String(member).toLowerCase()
      const before = known.get(value)
      if (before && wishOf(before.body) !== wishOf(body))
        t.deviation({
          expected: `another ${name}`,
          actual: `${value} again`,
          pointer: `/${name}`,
          exchanges: [before.response, response],
        })
      known.set(value, start)
    }
  }
  t.examined(starts.length)
}

/** The export that a body requests. Flags that are false, and the list of omitted members, do not change it. */
function wishOf(body: JsonObject) {
  return JSON.stringify(
    Object.entries(body).filter(([name, value]) => name !== 'exclude' && value !== false),
  )
}

function requestFor(repository: requests.RepositoryName, flags = {}): (as: Caller) => RequestSpec {
  return (as) => ({
    endpoint,
    body: { repositories: [requests.fullName(repository)], ...flags },
    as,
  })
}
