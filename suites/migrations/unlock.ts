import type { Caller } from '../../src/http/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Resolved } from '../../src/suite/needs.ts'
import { accessChecks, everyone, tryEveryone } from './access.ts'
import { lockEchoChecks } from './flags.ts'
import { guarded, locked, unlocking, unlockingFreshly, unlockRequest } from './locks.ts'
import { locksOutlastExportCheck } from './locks-stay.ts'
import { flagged, idOf, needs, twoRepositories } from './started.ts'
import type { RepositoryName } from './starting.ts'
import { unknownMigration } from './unknown.ts'

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
        const guardedId = await lockedId(t, resolved)
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
      run: async (t, resolved) => {
        const { owner, repository } = resolved
        const { other } = await unlocking(t, resolved)
        if (other.status !== 204) t.untested('a lock may have been removed together with another one')
        const guardedId = await lockedId(t, resolved)
        await tryEveryone(t, (as) => unlockRequest(as, guardedId, repository.repo), resolved, { withOutsider: true })
        t.expect(await t.send(unlockRequest(owner, guardedId, repository.repo))).status(204)
      },
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
      id: `${id}.lasts`,
      requirement: 'migrations.unlock.not-locked',
      title: 'keeps the repository unlocked: two seconds later it is not locked again',
      needs: twoRepositories,
      schedule: 'afterwards',
      run: async (t, resolved) => unlockingLasts(t, resolved),
    }),
    check({
      ...alone,
      id: `${id}.one-at-a-time`,
      requirement: 'migrations.start.locks',
      title: 'keeps a separate lock for each repository of a migration',
      needs: twoRepositories,
      run: async (t, resolved) => {
        const shared = await unlocking(t, resolved)
        const { first, again, other } = shared.other.ok ? shared : await unlockingFreshly(t, resolved)
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
        const unlocked = idOf(t, await flagged(t, resolved, 'exclude_attachments'))
        t.expect(await t.send(unlockRequest(resolved.owner, unlocked, resolved.repository.repo))).status(404)
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
    locksOutlastExportCheck(id),
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

/** Seconds after which the lock is looked for again. */
const lasting = 2

/** A lock that was removed stays so: unlocking the repository once more finds none (document: States and transitions). */
async function unlockingLasts(t: CheckContext, resolved: Resolved<typeof twoRepositories>): Promise<void> {
  const { first, again } = await unlocking(t, resolved)
  if (!first.ok || again.status !== 404) t.untested(`unlocking returned ${first.status}, and a second time ${again.status}`)
  await t.wait(lasting, 'an effect that must last')
  const migration = idOf(t, await locked(t, resolved))
  const later = await t.send(unlockRequest(resolved.owner, migration, resolved.repository.repo))
  if (!later.ok) return t.examined(1)
  const expected = '404, as the repository was unlocked before'
  t.deviation({ expected, actual: String(later.status), exchanges: [first, again, later] })
}

/** True when somebody else than the owner was served on a migration's locks: the check of that caller says so. */
function undoneByOthers(t: CheckContext, owner: Caller, id: number): boolean {
  const others = t.recorded(endpoint).filter(({ request }) => request.as !== owner.label && request.url.includes(`/${id}/`))
  return others.some(({ status }) => status < 300)
}

/** The guarded migration, once its lock of the other repository has shown that locking works (readings G4). */
async function lockedId(
  t: CheckContext,
  two: { owner: Caller; repository: RepositoryName; second: RepositoryName },
): Promise<number> {
  const { started, control } = await guarded(t, two)
  const guardedId = idOf(t, started)
  if (undoneByOthers(t, two.owner, guardedId)) t.untested('a request that must be rejected has already removed the lock')
  return control?.status === 204 ? guardedId : t.untested(`the owner could not unlock the repository either (${control?.status})`)
}
