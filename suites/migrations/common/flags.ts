import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Located } from '../../../src/suite/located.ts'
import { expectStarted } from './accepted-bodies.ts'
import { bodyOf, membersOf } from './forms.ts'
import { awaitListed } from './list-contents.ts'
import { locked } from './lock-state.ts'
import {
  echoedFlags,
  firstReading,
  flagged,
  idOf,
  type needs,
  progress,
  stateOf,
  type twoRepositories,
} from './migration-state.ts'
import type { Started } from './start-request.ts'

/** Flags that are fields of a migration and change only the migration. */
export const harmless = echoedFlags.filter((flag) => flag !== 'lock_repositories')

/** Flags of the body that must be accepted, including those that are no fields. */
const accepted = ['exclude_metadata', 'exclude_git_data', ...harmless]

/** Flags as they are sent: each alone, and two together. */
export const sentFlags: readonly (readonly string[])[] = [
  ...harmless.map((flag) => [flag]),
  ['exclude_releases', 'exclude_owner_projects'],
]

/** The 201 accepts and returns the flags that were sent (readings E7). */
export function echoChecks(start: Operation<typeof needs>): Check[] {
  const echo = start.with({ requirement: 'migrations.start.echo' })
  return [
    start.check('flags-accepted', 'accepts each documented flag', 'migrations.start.flags', async (t, resolved) => {
      for (const flag of accepted) await expectStarted(t, resolved, await flagged(t, resolved, flag), flag)
    }),
    ...harmless.map((flag) =>
      echo.check(`echoes-${flag.replaceAll('_', '-')}`, `returns ${flag} as it was sent`, async (t, resolved) => {
        for (const sent of sentFlags) {
          const started = await flagged(t, resolved, ...sent)
          idOf(t, started)
          expectFlag(t, bodyOf(started.answer), flag, sent.includes(flag))
        }
      }),
    ),
  ]
}

/** The single migration keeps the flags until its end. */
export function readEchoChecks(get: Operation<typeof needs>): Check[] {
  const echo = get.with({ requirement: 'migrations.start.echo' })
  return harmless.map((flag) =>
    echo.check(`keeps-${flag.replaceAll('_', '-')}`, `keeps ${flag} as it was sent`, async (t, resolved) => {
      for (const sent of sentFlags) {
        for (const answer of await everyAnswer(t, resolved.owner, await flagged(t, resolved, ...sent)))
          expectFlag(t, bodyOf(answer), flag, sent.includes(flag))
      }
    }),
  )
}

/** The responses for a migration at once and until its end. */
export async function everyAnswer(t: CheckContext, owner: Caller, started: Started): Promise<Exchange[]> {
  const first = await firstReading(t, owner, started)
  const { answers } = await progress(t, owner, idOf(t, started))
  return [first, ...answers]
}

/** The three places that return lock_repositories: the 201, the single migration and the list. */
const lockEchoes = [
  {
    id: 'migrations.start',
    endpoint: endpoints.startMigration,
    aspect: 'echoes-lock-repositories',
    title: 'returns lock_repositories as it was sent',
    read: async (_: CheckContext, __: Caller, { answer }: Started) => bodyOf(answer),
  },
  {
    id: 'migrations.get',
    endpoint: endpoints.getMigration,
    aspect: 'keeps-lock-repositories',
    title: 'keeps lock_repositories as it was sent',
    read: async (t: CheckContext, owner: Caller, started: Started) => bodyOf((await stateOf(t, owner, idOf(t, started))).answer),
  },
  {
    id: 'migrations.list',
    endpoint: endpoints.listMigrations,
    aspect: 'keeps-lock-repositories',
    title: 'keeps lock_repositories as it was sent',
    read: async (t: CheckContext, owner: Caller, started: Started) => {
      const { migration } = await awaitListed(t, owner, idOf(t, started))
      return migration ?? t.untested('the list does not contain the migration')
    },
  },
] as const

/** Locks change the repositories, so that these checks run alone and late. */
export function lockEchoChecks(unlock: Operation<typeof twoRepositories>): Check[] {
  return lockEchoes.map(({ id, endpoint, aspect, title, read }) =>
    unlock.with({ id, endpoint }).check(aspect, title, 'migrations.start.echo', async (t, resolved) => {
      const [withLock, without] = [await locked(t, resolved), await flagged(t, resolved, 'exclude_attachments')]
      for (const started of [withLock, without]) {
        idOf(t, started)
        expectFlag(t, await read(t, resolved.owner, started), 'lock_repositories', started === withLock)
      }
    }),
  )
}

/** Ends the check as deviating unless a migration returns a flag as it was sent. */
export function expectFlag(t: CheckContext, migration: Located, flag: string, sent: boolean): void {
  t.expectAll(membersOf([migration], flag), flag).satisfy(`${flag} ${sent}`, (value) => value === sent)
}
