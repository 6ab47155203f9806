import type { Exchange } from '../../src/http/exchange.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Located } from '../../src/suite/located.ts'
import { expectStarted } from './accepted.ts'
import { bodyOf, membersOf } from './forms.ts'
import { locked } from './locks.ts'
import { echoedFlags, flagged, idOf, migrationRequest, needs, type Started, twoRepositories } from './started.ts'

/** Flags that are fields of a migration and change nothing outside it. */
const harmless = echoedFlags.filter((flag) => flag !== 'lock_repositories')

/** Flags of the body, each of which must be accepted; those that are no fields too. */
const accepted = ['exclude_metadata', 'exclude_git_data', ...harmless]

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
          for (const sent of harmless) expectFlag(t, shown(t, await flagged(t, resolved, sent)), flag, flag === sent)
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
        for (const sent of harmless) {
          const answer = await t.read(migrationRequest(resolved.owner, idOf(t, await flagged(t, resolved, sent))))
          expectFlag(t, answer, flag, flag === sent)
        }
      },
    }),
  )
}

/** A lock changes the repositories, so that this one runs alone and late. */
export function lockEchoCheck(): Check {
  return check({
    id: 'migrations.start.echoes-lock-repositories',
    endpoint: endpoints.startMigration,
    requirement: 'migrations.start.echo',
    level: 'must',
    title: 'returns lock_repositories as it was sent',
    needs: twoRepositories,
    writes: true,
    schedule: 'alone',
    run: async (t, resolved) => {
      expectFlag(t, shown(t, await locked(t, resolved)), 'lock_repositories', true)
      expectFlag(t, shown(t, await flagged(t, resolved, 'exclude_attachments')), 'lock_repositories', false)
    },
  })
}

function shown(t: CheckContext, started: Started): Exchange {
  idOf(t, started)
  return started.answer
}

function expectFlag(t: CheckContext, answer: Exchange, flag: string, sent: boolean): void {
  const values: Located[] = membersOf([bodyOf(answer)], flag)
  t.expectAll(values, flag).satisfy(`${flag} ${sent}`, (value) => value === sent)
}
