import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { briefly, sendUntil } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { embeddedRemovals, removedFieldChecks } from '../../common/removed-fields.ts'
import { mediaTypeCheck, recordedObjects } from '../../common/served.ts'
import { accessChecks, foreignMigration, unknownMigration } from '../common/access.ts'
import {
  flagsCheck,
  identityCheck,
  migrationChecks,
  withoutRepositories,
} from '../common/every-migration.ts'
import { bodyOf, membersOf, migratedRepositories } from '../common/forms.ts'
import { progress, withoutArchive } from '../common/migration-state.ts'
import { migrationRequest } from '../common/start-request.ts'
import { type MigrationNeeds, needs, onMigrations, plainId } from '../common/started-migrations.ts'

const endpoint = endpoints.getMigration
const get = onMigrations('get', endpoint, needs)
const withoutThem = { query: { exclude: ['repositories'] } }
const recorded = get.with({ schedule: 'afterwards' })

export default get.suite([
  get.check('status', 'returns 200 with the requested migration', async (t, resolved) => {
    const wanted = await plainId(t, resolved)
    const response = await sendUntil(t, migrationRequest(resolved.owner, wanted))
    t.expect(response).status(200)
    t.expectAll(membersOf([bodyOf(response)], 'id'), 'id').satisfy(
      `the id ${wanted}`,
      (value) => value === wanted,
    )
  }),
  mediaTypeCheck(get, async (t, resolved) => {
    const first = await readOwn(t, resolved)
    const { responses } = await progress(t, resolved.owner, await plainId(t, resolved))
    return [first, ...responses].filter(({ status }) => status === 200)
  }),
  ...migrationChecks(recorded, async (t, resolved) => {
    const response = await readOwn(t, resolved)
    return response.status === 200 ? [bodyOf(response), ...recordedObjects(t, endpoint)] : []
  }),
  identityCheck(get, endpoint),
  recorded.check(
    'org-metadata-only',
    'includes org_metadata_only as a boolean',
    async (t, resolved) => {
      await readOwn(t, resolved)
      const isIncluded = ({ org_metadata_only }: JsonObject) =>
        typeof org_metadata_only === 'boolean'
      t.expectAll(recordedObjects(t, endpoint), 'migration').satisfy(
        'a boolean org_metadata_only',
        isIncluded,
      )
    },
  ),
  flagsCheck(get, endpoint),
  ...withoutRepositories(recorded.with({ requirement: 'migrations.get.exclude' }), {
    whole: readOwn,
    read: async (t, resolved) => {
      const wanted = await plainId(t, resolved)
      // Before the export, there may be no repositories to omit (readings E25).
      await progress(t, resolved.owner, wanted)
      return t.shared('migration without repositories', (shared) =>
        inEachSpelling(shared, resolved.owner, wanted),
      )
    },
    further: async (t, owner) => {
      const failed = await unlessUntested(t.ask('failed-migration', {}))
      const ids = [failed?.migration_id, ...(await withoutArchive(t))].flatMap((id) => id ?? [])
      return Promise.all(ids.map((id) => inEachSpelling(t, owner, id)))
    },
  }),
  unknownMigration(get, { request: migrationRequest, readOwn }),
  foreignMigration(get, { request: migrationRequest, readOwn }),
  ...accessChecks(
    get,
    async (t, resolved) => {
      const wanted = await plainId(t, resolved)
      const { status } = await readOwn(t, resolved)
      if (status !== 200) t.untested(`the request fails for the owner as well (${status})`)
      return (as) => migrationRequest(as, wanted)
    },
    withoutThem,
  ),
  ...removedFieldChecks(get.with({ writes: false }), {
    fields: [embeddedRemovals.squashTitle, embeddedRemovals.hasDownloads],
    also: migratedRepositories,
    read: readOwn,
  }),
])

/** A migration without its repositories, by each spelling of `exclude` (readings E9). */
async function inEachSpelling(t: CheckContext, owner: Caller, id: number) {
  const send = (name: string) => {
    return sendUntil(
      t,
      { ...migrationRequest(owner, id), query: { [name]: ['repositories'] } },
      undefined,
      briefly,
    )
  }
  return [await send('exclude'), await send('exclude[]')]
}

/** Reads the caller's own migration (readings G15). */
async function readOwn(t: CheckContext, resolved: MigrationNeeds) {
  const id = await plainId(t, resolved)
  return t.shared(`first reading of ${id}`, (shared) =>
    sendUntil(shared, migrationRequest(resolved.owner, id)),
  )
}
