import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import { accessChecks, everyone, tryEveryone } from '../common/access.ts'
import { requireListed } from '../common/list-contents.ts'
import { idOf, type needs, plain } from '../common/migration-state.ts'
import { expectNoneStarted, marked } from '../common/no-effect.ts'
import type { RepositoryName } from '../common/start-request.ts'

/** The callers who may not start a migration. Their refused requests start none. */
export function startAccessChecks(start: Operation<typeof needs>): Check[] {
  const alone = start.with({ schedule: 'alone' })
  return [
    ...accessChecks(alone, {
      requirement: 'migrations.start.unauthenticated',
      listed401: true,
      ofOneMigration: false,
      request: async (t, resolved) => {
        idOf(t, await plain(t, resolved))
        return requestFor(resolved.repository)
      },
    }),
    alone.check(
      'refused-tokens-without-effect',
      'starts no migration for a rejected token',
      { requirement: 'migrations.access.no-effect', also: everyone },
      async (t, resolved, others) => {
        await requireListed(t, resolved.owner, await plain(t, resolved))
        const request = requestFor(resolved.repository, marked)
        await expectNoneStarted(t, resolved.owner, () => tryEveryone(t, request, others, { withOutsider: false }))
      },
    ),
  ]
}

function requestFor({ owner, repo }: RepositoryName, flags = {}): (as: Caller) => RequestSpec {
  return (as) => ({ endpoint: endpoints.startMigration, body: { repositories: [`${owner}/${repo}`], ...flags }, as })
}
