import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import { accessChecks, everyone, tryEveryone } from '../common/access.ts'
import { requireListed } from '../common/list-contents.ts'
import { idOf, needs, plain } from '../common/migration-state.ts'
import { marked, startsNothing } from '../common/no-effect.ts'
import type { RepositoryName } from '../common/start-request.ts'

/** Who may not start a migration, and that a refused attempt starts none. */
export function startAccessChecks(id: string): Check[] {
  return [
    ...accessChecks({
      id,
      needs,
      requirement: 'migrations.start.unauthenticated',
      listed401: true,
      ofOneMigration: false,
      schedule: 'alone',
      request: async (t, resolved) => {
        idOf(t, await plain(t, resolved))
        return request(resolved.repository)
      },
    }),
    check({
      id: `${id}.refused-tokens-without-effect`,
      requirement: 'migrations.access.no-effect',
      level: 'must',
      title: 'starts no migration for a rejected token',
      needs: { ...needs, ...everyone },
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        await requireListed(t, resolved.owner, await plain(t, resolved))
        const request = markedRequest(resolved.repository)
        await startsNothing(t, resolved.owner, () => tryEveryone(t, request, resolved, { withOutsider: false }))
      },
    }),
  ]
}

function request({ owner, repo }: RepositoryName): (as: Caller) => RequestSpec {
  return (as) => ({ endpoint: endpoints.startMigration, body: { repositories: [`${owner}/${repo}`] }, as })
}

function markedRequest({ owner, repo }: RepositoryName): (as: Caller) => RequestSpec {
  return (as) => ({ endpoint: endpoints.startMigration, body: { repositories: [`${owner}/${repo}`], ...marked }, as })
}
