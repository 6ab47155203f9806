import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Located } from '../../../src/suite/located.ts'
import { expectStarted } from './accepted-bodies.ts'
import { bodyOf, membersOf } from './forms.ts'
import { listedMigration } from './list-contents.ts'
import { locked } from './lock-state.ts'
import { echoedFlags, flagged, idOf, migrationRequest, needs, progress, twoRepositories } from './migration-state.ts'
import type { Started } from './start-request.ts'

/** Flags that are fields of a migration and change nothing outside it. */
export const harmless = echoedFlags.filter((flag) => flag !== 'lock_repositories')

/** Flags of the body, each of which must be accepted; those that are no fields too. */
const accepted = ['exclude_metadata', 'exclude_git_data', ...harmless]

/** Flags as they are sent: each alone, and two together. */
export const sentFlags: readonly (readonly string[])[] = [
  ...harmless.map((flag) => [flag]),
  ['exclude_releases', 'exclude_owner_projects'],
]

/** What the 201 says of the flags that were sent (readings E7). */
export function echoChecks(id: string): Check[] {
  return [
    check({
      id: `${id}.flags-accepted`,
      requirement: 'migrations.start.flags',
      level: 'must',
      title: 'accepts each documented flag',
      needs,
      writes: true,
      run: async (t, resolved) => {
        for (const flag of accepted) {
          await expectStarted(t, resolved, await flagged(t, resolved, flag), flag)
        }
      },
    }),
    ...harmless.map((flag) =>
      check({
        id: `${id}.echoes-${flag.replaceAll('_', '-')}`,
        requirement: 'migrations.start.echo',
        level: 'must',
        title: `returns ${flag} as it was sent`,
        needs,
        writes: true,
        run: async (t, resolved) => {
          for (const sent of sentFlags)
            expectFlag(t, bodyOf(shown(t, await flagged(t, resolved, ...sent))), flag, sent.includes(flag))
        },
      }),
    ),
  ]
}

/** The same of a single migration, read later. */
export function readEchoChecks(id: string): Check[] {
  return harmless.map((flag) =>
    check({
      id: `${id}.keeps-${flag.replaceAll('_', '-')}`,
      requirement: 'migrations.start.echo',
      level: 'must',
      title: `keeps ${flag} as it was sent`,
      needs,
      writes: true,
      run: async (t, resolved) => {
        for (const sent of sentFlags) {
          for (const answer of await everyAnswer(t, resolved.owner, await flagged(t, resolved, ...sent)))
            expectFlag(t, bodyOf(answer), flag, sent.includes(flag))
        }
      },
    }),
  )
}

/** A migration as it is returned at once, and on the way to its end. */
export async function everyAnswer(t: CheckContext, owner: Caller, started: Started): Promise<Exchange[]> {
  const id = idOf(t, started)
  const first = await t.read(migrationRequest(owner, id))
  const { answers } = await progress(t, owner, id)
  return [first, ...answers]
}

/** Where lock_repositories is returned: in the 201, in the list and in the single migration. */
const lockEchoes = [
  {
    id: 'migrations.start.echoes-lock-repositories',
    endpoint: endpoints.startMigration,
    title: 'returns lock_repositories as it was sent',
    read: async (_: CheckContext, __: Caller, { answer }: Started) => bodyOf(answer),
  },
  {
    id: 'migrations.get.keeps-lock-repositories',
    endpoint: endpoints.getMigration,
    title: 'keeps lock_repositories as it was sent',
    read: async (t: CheckContext, owner: Caller, started: Started) =>
      bodyOf(await t.send(migrationRequest(owner, idOf(t, started)))),
  },
  {
    id: 'migrations.list.keeps-lock-repositories',
    endpoint: endpoints.listMigrations,
    title: 'keeps lock_repositories as it was sent',
    read: async (t: CheckContext, owner: Caller, started: Started) => {
      const { found } = await listedMigration(t, owner, idOf(t, started))
      return found ?? t.untested('the list does not contain the migration')
    },
  },
]

/** A lock changes the repositories, so that these run alone and late. */
export function lockEchoChecks(): Check[] {
  return lockEchoes.map(({ id, endpoint, title, read }) =>
    check({
      id,
      endpoint,
      requirement: 'migrations.start.echo',
      level: 'must',
      title,
      needs: twoRepositories,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { owner } = resolved
        for (const [sent, started] of [
          [true, await locked(t, resolved)],
          [false, await flagged(t, resolved, 'exclude_attachments')],
        ] as const) {
          idOf(t, started)
          expectFlag(t, await read(t, owner, started), 'lock_repositories', sent)
        }
      },
    }),
  )
}

function shown(t: CheckContext, started: Started): Exchange {
  idOf(t, started)
  return started.answer
}

/** Ends the check as deviating unless a migration returns a flag as it was sent. */
export function expectFlag(t: CheckContext, migration: Located, flag: string, sent: boolean): void {
  t.expectAll(membersOf([migration], flag), flag).satisfy(`${flag} ${sent}`, (value) => value === sent)
}
