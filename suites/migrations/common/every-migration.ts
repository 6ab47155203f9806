import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { readSchema } from '../../../src/package/schemas.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { Level } from '../../../src/spec/requirements.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'
import { show } from '../../../src/text/format.ts'
import { endsWith } from '../../common/names.ts'
import { type ReadItems, recordedItems, recordedObjects } from '../../common/served.ts'
import { bodyOf, hasNumericOffset, isState, isUuid, membersOf, observeState } from './forms.ts'
import { guarded, unlocking } from './lock-state.ts'
import * as migrated from './migration-state.ts'
import {
  echoedFlags,
  exclusionFlags,
  expectStarted,
  firstStarts,
  idIn,
  wishAndId,
} from './start-request.ts'
import * as made from './started-migrations.ts'

/** The shape of every migration in the responses of an endpoint. */
export function migrationChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  read: ReadItems<Needs>,
) {
  const ofMigration = (
    aspect: string,
    title: string,
    judge: (t: CheckContext, migrations: readonly Located[]) => void,
    level: Level = 'must',
  ) => {
    return operation.check(
      aspect,
      title,
      { requirement: `migrations.migration.${aspect}`, level, conclusive: true },
      async (t, needs) => judge(t, await read(t, needs)),
    )
  }
  return [
    ofMigration(
      'shape',
      'returns migrations with the documented fields and types',
      (t, migrations) => {
        t.expectAll(migrations, 'migration').match('migration')
      },
    ),
    ofMigration('guid', 'returns a UUID as guid', (t, migrations) => {
      t.expectAll(membersOf(migrations, 'guid'), 'guid').satisfy('a UUID', isUuid)
    }),
    ofMigration('url', 'returns the URL of the migration as url', expectOwnUrls, 'should'),
    ofMigration(
      'timestamps',
      'returns timestamps with a numeric offset from UTC',
      (t, migrations) => {
        const instants = ['created_at', 'updated_at'].flatMap((name) => membersOf(migrations, name))
        t.expectAll(instants, 'timestamp').satisfy(
          'an ISO 8601 timestamp with a numeric UTC offset',
          hasNumericOffset,
        )
      },
    ),
    ofMigration(
      'state',
      'returns each documented state in its documented spelling',
      (t, migrations) => {
        const states = membersOf(migrations, 'state')
        for (const { value } of states) observeState(t, value)
        t.expectAll(states, 'state').satisfy(
          'pending, exporting, exported, failed, or an undocumented state',
          isState,
        )
      },
    ),
  ]
}

function expectOwnUrls(t: CheckContext, migrations: readonly Located[]) {
  const path = t.spelled(endpoints.getMigration.path)
  const leadsToItself = (migration: unknown) =>
    isObject(migration) &&
    endsWith(migration.url, path.replace('{migration_id}', String(migration.id)))
  const identified = migrations.filter(
    ({ value }) => isObject(value) && 'url' in value && isExact(value.id),
  )
  t.expectAll(identified, 'migration').satisfy(
    'an address that ends with the path of the migration',
    leadsToItself,
    (migration) =>
      isObject(migration) ? `${migration.url} for the migration ${migration.id}` : show(migration),
  )
}

/** True for text, or a number within the exact integers of JSON, up to 2^53. */
const isExact = (id: unknown) =>
  id !== undefined && (typeof id !== 'number' || Number.isSafeInteger(id))

/** The identity of every migration of the run is the same in its 201 and in every later reading (readings E26). */
export function identityCheck(operation: Operation<typeof made.needs>, endpoint: Endpoint) {
  return operation.check(
    'identity',
    'keeps the guid, the creation time and the owner of every started migration',
    { requirement: 'migrations.migration.identity', schedule: 'afterwards' },
    async (t, resolved) => {
      const id = await made.plainId(t, resolved)
      await migrated.progress(t, resolved.owner, id)
      if (endpoint === endpoints.listMigrations) await migrated.awaitListed(t, resolved.owner, id)
      const returned = await returnedMigrations(t, endpoint)
      for (const { first, migration } of returned) {
        const [expected, actual] = [identityOf(first.json), identityOf(migration.value)]
        // A store may round the instant of the 201.
        t.expect(migration.exchange, first).satisfy(
          expected,
          [0, 1, -1].some((shift) => identityOf(first.json, shift) === actual),
          actual,
        )
      }
    },
  )
}

/** The migrations of the run as an endpoint has returned them so far, `own` first, each with its request. An id of two requests identifies none. */
export async function returnedMigrations(
  t: CheckContext,
  endpoint: Endpoint,
  own: readonly Located[] = [],
) {
  if (endpoint === endpoints.startMigration)
    return (await firstStarts(t)).map(({ body, response }) => ({
      body,
      first: response,
      migration: bodyOf(response),
    }))
  const starts = await firstStarts(t, wishAndId)
  const items =
    endpoint === endpoints.listMigrations
      ? [...own, ...recordedItems(t, endpoint)]
      : recordedObjects(t, endpoint)
  return items.flatMap((migration) => {
    const [start, ...others] = starts.filter(
      ({ response }) => isObject(migration.value) && idIn(response) === migration.value.id,
    )
    const isIts =
      start !== undefined &&
      others.length === 0 &&
      !migrated.isAnother(start.response.json, migration.value)
    return isIts ? [{ body: start.body, first: start.response, migration }] : []
  })
}

/** The members that identify a migration: its instant to the second, its owner by id, as logins may change. */
export function identityOf(migration: unknown, shift = 0) {
  const { guid, created_at, owner } = isObject(migration) ? migration : ({} as JsonObject)
  const instant = new Date(Date.parse(String(created_at)) + shift * 1000)
  const isDate = !Number.isNaN(instant.getTime())
  const created = isDate ? instant.toISOString().slice(0, 19) : String(created_at)
  const user = isObject(owner) ? String(owner.id ?? owner.login).toLowerCase() : undefined
  return `guid ${String(guid).toLowerCase()}, created ${created}, owner ${user}`
}

/** Flags that are fields of a migration and change only the migration. */
const harmless = echoedFlags.slice(1)

/** Flags that are set together: one may get lost beside another. */
export const together = {
  metadataAndGitData: ['exclude_metadata', 'exclude_git_data'],
  allButMetadata: exclusionFlags.slice(1),
}

/** Flags as they are sent: each alone, and several together. */
const sentFlags = [
  ...harmless.map((flag) => [flag]),
  ...Object.values(together),
  ['exclude_metadata', 'exclude_releases', 'exclude_owner_projects'],
]

/** Each documented flag is accepted, alone and beside others. */
export function flagsAcceptedCheck(start: Operation<typeof made.needs>) {
  return start.check(
    'flags-accepted',
    'accepts each documented flag',
    { requirement: 'migrations.start.flags', slow: true },
    async (t, resolved) => {
      const wanted = [...exclusionFlags.map((flag) => [flag]), ...sentFlags]
      for (const flags of wanted) {
        const started = await made.flagged(t, resolved, ...flags)
        // Nothing is left to export without metadata and without Git data.
        const isEmpty = flags.includes('exclude_metadata') && flags.includes('exclude_git_data')
        if (!isEmpty) await expectStarted(t, resolved, started, flags.join(', '))
      }
      const started = wanted.map((flags) => made.flagged(t, resolved, ...flags))
      await migrated.exportAll(t, resolved.owner, started)
    },
  )
}

/** An endpoint returns every migration of the run with the flags that its request sent (readings E7, E26). */
export function flagsCheck(operation: Operation<typeof made.needs>, endpoint: Endpoint) {
  return operation.check(
    'keeps-flags',
    'returns each flag of every migration as it was sent, in every combination',
    {
      requirement: 'migrations.start.echo',
      schedule: 'afterwards',
      also: made.mayBeTwo,
    },
    async (t, resolved, { second }) => {
      const { owner } = resolved
      const starts = [
        made.metadataOnly(t, owner),
        ...sentFlags.map((sent) => made.flagged(t, resolved, ...sent)),
      ]
      const two = second && { ...resolved, second }
      if (two)
        starts.push(
          made.ofTwo(t, two),
          unlocking(t, two).then(({ started }) => started),
        )
      if (endpoint !== endpoints.startMigration) await migrated.exportAll(t, owner, starts)
      if (two) starts.push(guarded(t, two).then(({ started }) => started))
      const ids = [...new Set((await Promise.all(starts)).map((each) => made.idOf(t, each)))]
      const own =
        endpoint === endpoints.listMigrations ? await migrated.awaitAllListed(t, owner, ids) : []
      const returned = await returnedMigrations(t, endpoint, own)
      const flags = [
        ...(second ? echoedFlags : harmless),
        ...(endpoint === endpoints.getMigration ? ['org_metadata_only'] : []),
      ]
      for (const flag of flags)
        for (const sent of [true, false]) expectFlag(t, returned, flag, sent)
    },
  )
}

function expectFlag(
  t: CheckContext,
  returned: Awaited<ReturnType<typeof returnedMigrations>>,
  flag: string,
  sent: boolean,
) {
  const usual = flag === 'org_metadata_only' ? false : undefined
  // Other flags are ignored beside org_metadata_only, so their values are open.
  const isJudged = ({ body }: (typeof returned)[number]) =>
    (body[flag] ?? usual) === sent &&
    (flag === 'org_metadata_only' || body.org_metadata_only !== true)
  const migrations = returned.filter(isJudged).map(({ migration }) => migration)
  t.expectAll(membersOf(migrations, flag), flag).satisfy(
    `${flag} ${sent}`,
    (value) => value === sent,
  )
}

/** The requests for a migration without `repositories`. */
interface Exclusion {
  /** The responses to each spelling of `exclude` that is tried. */
  readonly read: (t: CheckContext, resolved: made.MigrationNeeds) => Promise<readonly Exchange[]>
  /** The responses about groups of further migrations, which may be of few spellings. */
  readonly further: (t: CheckContext, owner: Caller) => Promise<readonly (readonly Exchange[])[]>
  /** The same without `exclude`. */
  readonly whole: (t: CheckContext, resolved: made.MigrationNeeds) => Promise<Exchange>
}

/** The effect of `exclude` with `repositories`: one accepted spelling must drop the list (readings E9, E10). */
export function withoutRepositories(
  operation: Operation<typeof made.needs>,
  { read, further, whole }: Exclusion,
) {
  const without = async (t: CheckContext, resolved: made.MigrationNeeds) => {
    const responses = served(await read(t, resolved)).filter(
      (response) => !hasRepositories(response),
    )
    const [first = t.untested('no spelling of exclude dropped the repositories'), ...others] =
      responses
    return [first, ...others] as const
  }
  return [
    operation.check(
      'exclude-repositories',
      'lists no repositories when exclude names them',
      async (t, resolved) => {
        const responses = served(await read(t, resolved))
        if (responses.length === 0) t.untested('no spelling of exclude was accepted')
        for (const spelled of [responses, ...(await further(t, resolved.owner)).map(served)]) {
          const [first] = spelled
          const isDropped = !spelled.every(hasRepositories)
          if (first) t.expect(first).satisfy('no repositories', isDropped, 'a list of repositories')
        }
      },
    ),
    operation.check(
      'exclude-absent',
      'omits the member repositories entirely when exclude names it',
      { level: 'should' },
      async (t, resolved) => {
        const responses = await without(t, resolved)
        t.expect(...responses).satisfy(
          'no member repositories',
          responses.some((response) => !Object.hasOwn(objectOf(response), 'repositories')),
          'an empty array',
        )
      },
    ),
    operation.check(
      'exclude-rest',
      'keeps every other member when exclude names repositories',
      async (t, resolved) => {
        for (const response of await without(t, resolved)) {
          const [before] = served([await whole(t, resolved)])
          expectRest(
            t,
            before ?? t.untested('the request without exclude returned no migration'),
            response,
          )
        }
      },
    ),
    operation.check(
      'exclude-accepted',
      'accepts the value repositories in exclude',
      { level: 'should' },
      async (t, resolved) => {
        const responses = await read(t, resolved)
        if (served(responses).length > 0) return t.examined(1)
        if (responses.some(({ rejected }) => !rejected))
          t.untested('no spelling of exclude returned a migration')
        t.deviation({
          expected: 'success for some spelling of exclude',
          actual: responses.map(({ status }) => status).join(', '),
          exchanges: responses,
        })
      },
    ),
  ]
}

/** Only `repositories` may be missing. The other documented members keep their form; in one migration, its id and flags are the same. */
function expectRest(t: CheckContext, whole: Exchange, response: Exchange) {
  const [before, after] = [objectOf(whole), objectOf(response)]
  const documented = namesIn('migration').filter((name) => name !== 'repositories')
  const kept = whole.request.method === 'GET' ? ['id', 'node_id', 'guid', ...echoedFlags] : []
  const other = documented.filter(
    (name) =>
      formOf(before[name]) !== formOf(after[name]) ||
      (kept.includes(name) && before[name] !== after[name]),
  )
  t.expect(response, whole)
    .satisfy(
      'all members but repositories',
      other.length === 0,
      `no or another value of ${other.join(', ')}`,
    )
    .status(whole.status)
}

const served = (responses: readonly Exchange[]) =>
  responses.filter((response) => idIn(response) !== undefined)

function hasRepositories({ json }: Exchange) {
  return isObject(json) && Array.isArray(json.repositories) && json.repositories.length > 0
}

/** The type of a member, with the form of a timestamp, and of the documented members of an owner. */
function formOf(value: unknown) {
  if (!isObject(value)) return `${typeof value} ${hasNumericOffset(value)}`
  return namesIn('user')
    .map((name) => typeof value[name])
    .join()
}

const objectOf = ({ json }: Exchange) => (isObject(json) ? json : {})

/** The members that a schema describes. */
function namesIn(schema: string) {
  const { properties } = readSchema(schema)
  return isObject(properties) ? Object.keys(properties) : []
}
