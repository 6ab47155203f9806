import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { accessChecks, everyone, tryEveryone } from '../common/access.ts'
import { lockEchoChecks } from '../common/flags.ts'
import { type Guarded, guarded, guardedAnew, unlocking, unlockRequest } from '../common/lock-state.ts'
import { flagged, idOf, needs, twoRepositories } from '../common/migration-state.ts'
import { start } from '../common/start-request.ts'
import { unknownMigration } from '../common/unknown.ts'
import { aroundExportChecks } from './locks-stay.ts'

const id = 'migrations.unlock'
const endpoint = endpoints.unlockRepository
const alone = { level: 'must', writes: true, schedule: 'alone' } as const

/** A name that no migration holds. */
const unknownRepository = 'service-conformance-no-such-repository'

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    ...lockEchoChecks(),
    ...accessChecks({
      id,
      needs: twoRepositories,
      requirement: 'migrations.unlock.unauthenticated',
      listed401: true,
      ofOneMigration: true,
      schedule: 'alone',
      request: async (t, resolved) => {
        const guardedId = lockedId(t, resolved.owner, await guarded(t, resolved))
        return (as) => unlockRequest(as, guardedId, resolved.repository.repo)
      },
    }),
    check({
      ...alone,
      id: `${id}.refused-without-effect`,
      requirement: 'migrations.access.no-effect',
      title: 'keeps the lock after a rejected request',
      conclusive: true,
      needs: { ...twoRepositories, ...everyone },
      run: async (t, resolved) => keepsLock(t, resolved),
    }),
    check({
      ...alone,
      id: `${id}.status`,
      requirement: 'migrations.unlock.status',
      title: 'returns 204 for a locked repository',
      needs: twoRepositories,
      run: async (t, resolved) => void t.expect((await unlocking(t, resolved)).first).status(204),
    }),
    check({
      ...alone,
      id: `${id}.empty`,
      requirement: 'migrations.unlock.status',
      title: 'sends no response body',
      needs: twoRepositories,
      run: async (t, resolved) => {
        const { first } = await unlocking(t, resolved)
        if (first.status !== 204) t.untested(`the response was ${first.status}`)
        t.expect(first).noBody()
      },
    }),
    check({
      ...alone,
      id: `${id}.again`,
      requirement: 'migrations.unlock.not-locked',
      title: 'returns 404 once the repository is unlocked',
      needs: twoRepositories,
      run: async (t, resolved) => {
        const { first, again } = await unlocking(t, resolved)
        if (first.status >= 300) t.untested(`unlocking returned ${first.status}`)
        t.expect(again).status(404)
      },
    }),
    check({
      ...alone,
      id: `${id}.one-at-a-time`,
      requirement: 'migrations.start.locks',
      title: 'keeps a separate lock for each repository of a migration',
      needs: twoRepositories,
      run: async (t, resolved) => {
        const { first, again, other } = await unlocking(t, resolved)
        if (!first.ok) t.untested(`unlocking the first repository returned ${first.status}`)
        if (again.ok)
          t.untested(`unlocking it again returned ${again.status}, so the status does not say whether there was a lock`)
        if (other.status >= 300)
          t.deviation({ expected: 'a lock on the second repository', actual: String(other.status), exchanges: [first, other] })
        t.examined(1)
      },
    }),
    check({
      ...alone,
      id: `${id}.beside-flags`,
      requirement: 'migrations.start.locks',
      title: 'accepts a lock that was requested together with exclude_attachments',
      needs: twoRepositories,
      run: async (t, resolved) => {
        const { other } = await unlocking(t, resolved)
        const { started, control } = await guarded(t, resolved)
        if (!other.ok || !control)
          return t.untested(`unlocking returned ${other.status}, a further start ${started.answer.status}`)
        if (!control.ok) t.deviation({ expected: 'a lock', actual: String(control.status), exchanges: [started.answer, control] })
        t.examined(1)
      },
    }),
    check({
      ...alone,
      id: `${id}.not-locked`,
      requirement: 'migrations.unlock.not-locked',
      title: 'returns 404 when the migration locked no repository',
      needs,
      run: async (t, resolved) => {
        const { owner, repository } = resolved
        const early = idOf(t, await flagged(t, resolved, 'exclude_attachments'))
        const answer = await t.send(unlockRequest(owner, early, repository.repo))
        if (!answer.ok) return void t.expect(answer).status(404)
        // That may have been the lock of another migration, where it is the repository's own; now it is gone.
        const late = idOf(t, await start(t, owner, [repository], { exclude_attachments: true, exclude_owner_projects: true }))
        t.expect(await t.send(unlockRequest(owner, late, repository.repo))).status(404)
      },
    }),
    check({
      ...alone,
      id: `${id}.unknown-repository`,
      requirement: 'migrations.unlock.unknown',
      title: 'returns 404 for a repository that is not in the migration',
      needs,
      run: async (t, resolved) => {
        const unlocked = idOf(t, await flagged(t, resolved, 'exclude_attachments'))
        t.expect(await t.send(unlockRequest(resolved.owner, unlocked, unknownRepository))).status(404)
      },
    }),
    ...aroundExportChecks(id),
    unknownMigration({
      id,
      requirement: 'migrations.unlock.unknown',
      needs: twoRepositories,
      request: (as, unknown) => unlockRequest(as, unknown, unknownRepository),
      served: async (t, resolved) => (await unlocking(t, resolved)).first.ok,
      schedule: 'alone',
    }),
  ],
})

/** What was locked before rejected requests still is. Where the lock is the repository's own, others of the run may have removed it: only a new one shows that. */
async function keepsLock(t: CheckContext, resolved: Resolved<typeof twoRepositories & typeof everyone>): Promise<void> {
  const { other } = await unlocking(t, resolved)
  if (other.status !== 204) t.untested('a lock may have been removed together with another one')
  const answer = await unlockAfterRefusals(t, resolved, await guarded(t, resolved))
  if (answer.status === 204) return t.examined(1)
  const anew = await guardedAnew(t, resolved, { exclude_attachments: true, exclude_owner_projects: true })
  t.expect(await unlockAfterRefusals(t, resolved, anew)).status(204)
}

async function unlockAfterRefusals(
  t: CheckContext,
  resolved: Resolved<typeof twoRepositories & typeof everyone>,
  made: Guarded,
): Promise<Exchange> {
  const { owner, repository } = resolved
  const guardedId = lockedId(t, owner, made)
  await tryEveryone(t, (as) => unlockRequest(as, guardedId, repository.repo), resolved, { withOutsider: true })
  return t.send(unlockRequest(owner, guardedId, repository.repo))
}

/** True when somebody else than the owner was served on a migration's locks: the check of that caller says so. */
function undoneByOthers(t: CheckContext, owner: Caller, id: number): boolean {
  const others = t.recorded(endpoint).filter(({ request }) => request.as !== owner.label && request.url.includes(`/${id}/`))
  return others.some(({ status }) => status < 300)
}

/** The guarded migration, once its lock of the other repository has shown that locking works (readings G4). */
function lockedId(t: CheckContext, owner: Caller, { started, control }: Guarded): number {
  const guardedId = idOf(t, started)
  if (undoneByOthers(t, owner, guardedId)) t.untested('a request that must be rejected has already removed the lock')
  return control?.status === 204 ? guardedId : t.untested(`the owner could not unlock the repository either (${control?.status})`)
}
