import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { expectStarted } from './accepted-bodies.ts'
import { returnedMigrations } from './every-migration.ts'
import { membersOf } from './forms.ts'
import { awaitListed } from './list-contents.ts'
import { guarded, locked } from './lock-state.ts'
import {
  echoedFlags,
  firstReading,
  flagged,
  idOf,
  metadataOnly,
  type needs,
  progress,
  twoRepositories,
} from './migration-state.ts'
import type { Started } from './start-request.ts'

/** Flags that are fields of a migration and change only the migration. */
const harmless = echoedFlags.filter((flag) => flag !== 'lock_repositories')

/** Flags of the body that must be accepted, including those that are no fields. */
const accepted = ['exclude_metadata', 'exclude_git_data', ...harmless]

/** Flags that are set together: one may get lost beside another. */
export const together = [
  ['exclude_metadata', 'exclude_git_data'],
  ['exclude_git_data', 'exclude_attachments', 'exclude_releases'],
  ['exclude_releases', 'exclude_owner_projects'],
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
export function echoChecks(operation: Operation<typeof needs>, endpoint: Endpoint): Check[] {
  const verb = endpoint === endpoints.startMigration ? 'echoes' : 'keeps'
  const echo = operation.with({ requirement: 'migrations.start.echo', schedule: 'afterwards' })
  const title = (flag: string) => `${verb === 'keeps' ? 'keeps' : 'returns'} ${flag} as it was sent, in every combination`
  const single = endpoint === endpoints.getMigration ? [...harmless, 'org_metadata_only'] : harmless
  const groups = endpoint === endpoints.listMigrations ? [harmless] : single.map((flag) => [flag])
  return [
    ...groups.map((flags) => {
      const [name = ''] = flags.length === 1 ? flags : ['flags']
      return echo.check(`${verb}-${name.replaceAll('_', '-')}`, title(name), async (t, resolved) => {
        const started: Started[] = []
        for (const sent of sentFlags) started.push(await flagged(t, resolved, ...sent))
        if (name === 'org_metadata_only') started.push(await metadataOnly(t, resolved.owner))
        for (const flag of flags) await expectEchoed(t, resolved.owner, endpoint, flag, started)
      })
    }),
    echo
      .with({ needs: twoRepositories, schedule: 'alone' })
      .check(`${verb}-lock-repositories`, title('lock_repositories'), async (t, two) => {
        const started = [await locked(t, two), await flagged(t, two, 'exclude_attachments'), (await guarded(t, two)).started]
        await expectEchoed(t, two.owner, endpoint, 'lock_repositories', started)
      }),
  ]
}

async function expectEchoed(t: CheckContext, owner: Caller, endpoint: Endpoint, flag: string, started: readonly Started[]) {
  for (const each of started) {
    const id = idOf(t, each)
    if (endpoint !== endpoints.startMigration) await progress(t, owner, id)
    if (endpoint === endpoints.listMigrations) await awaitListed(t, owner, id)
  }
  const returned = await returnedMigrations(t, endpoint)
  for (const sent of [true, false]) {
    const migrations = returned.filter(({ body }) => body[flag] === sent).map(({ migration }) => migration)
    t.expectAll(membersOf(migrations, flag), flag).satisfy(`${flag} ${sent}`, (value) => value === sent)
  }
}

/** The responses for a migration at once and until its end. */
export async function everyAnswer(t: CheckContext, owner: Caller, started: Started): Promise<Exchange[]> {
  const first = await firstReading(t, owner, started)
  const { answers } = await progress(t, owner, idOf(t, started))
  return [first, ...answers]
}
