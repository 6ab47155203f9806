import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { need, optional } from '../../../src/suite/needs.ts'
import { expectStarted } from './accepted-bodies.ts'
import { returnedMigrations } from './every-migration.ts'
import { membersOf } from './forms.ts'
import { guarded, locked } from './lock-state.ts'
import { echoedFlags, flagged, idOf, metadataOnly, type needs, ofTwo, progress } from './migration-state.ts'

/** Flags that are fields of a migration and change only the migration. */
const harmless = echoedFlags.filter((flag) => flag !== 'lock_repositories')

/** Flags of the body that must be accepted, including those that are no fields. */
const accepted = ['exclude_metadata', 'exclude_git_data', ...harmless]

/** Flags that are set together: one may get lost beside another. */
export const together = [
  ['exclude_metadata', 'exclude_git_data'],
  ['exclude_git_data', 'exclude_attachments', 'exclude_releases', 'exclude_owner_projects'],
]

/** Flags as they are sent: each alone, and several together. */
const sentFlags = [...harmless.map((flag) => [flag]), ...together, ['exclude_attachments', 'exclude_owner_projects']]

/** Each documented flag is accepted. */
export function flagsAcceptedCheck(start: Operation<typeof needs>): Check {
  return start.check('flags-accepted', 'accepts each documented flag', 'migrations.start.flags', async (t, resolved) => {
    for (const flag of accepted) await expectStarted(t, resolved, await flagged(t, resolved, flag), flag)
  })
}

/** An endpoint returns every migration of the run with the flags that its request sent (readings E7, E26). */
export function flagsCheck(operation: Operation<typeof needs>, endpoint: Endpoint): Check {
  const own = {
    requirement: 'migrations.start.echo',
    schedule: 'afterwards',
    also: { second: optional(need('second-repository')) },
  } as const
  const title = 'returns each flag of every migration as it was sent, in every combination'
  return operation.check('keeps-flags', title, own, async (t, resolved, { second }) => {
    const { owner } = resolved
    const started = [await metadataOnly(t, owner), await flagged(t, resolved, 'exclude_attachments')]
    for (const sent of sentFlags) started.push(await flagged(t, resolved, ...sent))
    if (second) {
      const all = { ...resolved, second }
      started.push(await ofTwo(t, all), await locked(t, all), (await guarded(t, all)).started)
    }
    const ids = started.map((each) => idOf(t, each))
    for (const id of endpoint === endpoints.startMigration ? [] : ids) await progress(t, owner, id)
    if (endpoint === endpoints.listMigrations)
      await new Listing(t, { endpoint: endpoints.listMigrations, as: owner }).walk({ fresh: true })
    const returned = await returnedMigrations(t, endpoint)
    const flags = [...(second ? echoedFlags : harmless), ...(endpoint === endpoints.getMigration ? ['org_metadata_only'] : [])]
    for (const flag of flags) {
      for (const sent of [true, false]) expectFlag(t, returned, flag, sent)
    }
  })
}

function expectFlag(t: CheckContext, returned: Awaited<ReturnType<typeof returnedMigrations>>, flag: string, sent: boolean) {
  const migrations = returned
    .filter(({ body }) => (body[flag] ?? (flag === 'org_metadata_only' ? false : undefined)) === sent)
    .map(({ migration }) => migration)
  t.expectAll(membersOf(migrations, flag), flag).satisfy(`${flag} ${sent}`, (value) => value === sent)
}
