import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { guardedAnew, startLocked, unlocking, unlockRequest } from '../common/lock-state.ts'
import { exported, idOf, progress, twoRepositories } from '../common/migration-state.ts'

/** Only unlocking is said to end a lock, so that the deletion of the archive leaves it (document: States and transitions). */
export function locksStayCheck(id: string): Check {
  return check({
    id: `${id}.locks-stay`,
    requirement: 'migrations.delete-archive.locks',
    level: 'should',
    title: 'keeps the locks of the migration after the deletion of its archive',
    needs: twoRepositories,
    writes: true,
    schedule: 'alone',
    run: async (t, resolved) => locksStay(t, resolved),
  })
}

async function locksStay(t: CheckContext, two: Resolved<typeof twoRepositories>): Promise<void> {
  const known = await unlessUntested(aroundExport(t, two))
  // A lock that outlasted both shows it; what removed one that did not, only a migration of its own tells.
  if (known?.deletion?.ok && known.late.ok && !known.later.ok) return void t.expect(known.late).status(204)
  const { owner, repository, second } = two
  const migration = await exported(t, owner, await startLocked(t, two, { exclude_releases: true }))
  const control = await t.send(unlockRequest(owner, migration, second.repo))
  if (!control.ok) t.untested(`the owner could not unlock the other repository (${control.status})`)
  const again = await t.send(unlockRequest(owner, migration, second.repo))
  if (again.ok) t.untested(`unlocking it again returned ${again.status}, so the status does not say whether there was a lock`)
  const deletion = await t.send(deletionRequest(owner, migration))
  if (!deletion.ok) t.untested(`the deletion returned ${deletion.status}`)
  t.expect(await t.send(unlockRequest(owner, migration, repository.repo))).status(204)
}

/** Nor does the end of the export unlock anything, or lock anew what was unlocked before. */
export function aroundExportChecks(id: string): Check[] {
  const common = { needs: twoRepositories, writes: true, schedule: 'alone' } as const
  return [
    check({
      ...common,
      id: `${id}.after-export`,
      requirement: 'migrations.unlock.status',
      level: 'should',
      title: 'keeps the locks of the migration after its export',
      run: async (t, resolved) => {
        const { started, late } = await aroundExport(t, resolved)
        await exported(t, resolved.owner, started)
        if (!late.ok) await keptByExport(t, resolved)
        t.examined(1)
      },
    }),
    check({
      ...common,
      id: `${id}.lasts`,
      requirement: 'migrations.unlock.not-locked',
      level: 'must',
      title: 'keeps the repository unlocked: two seconds later it is not locked again',
      run: async (t, resolved) => {
        const { again } = await unlocking(t, resolved)
        if (again.status !== 404) t.untested(`unlocking a second time returned ${again.status}`)
        const { early, later } = await aroundExport(t, resolved)
        const expected = '404, as the repository was unlocked before'
        if (later.ok) t.deviation({ expected, actual: String(later.status), exchanges: [early, later] })
        t.examined(1)
      },
    }),
  ]
}

/** Seconds after which the lock is looked for again. */
const lasting = 2

/** Whether a lock outlasts the export of a migration whose archive is not deleted. */
async function keptByExport(t: CheckContext, two: Resolved<typeof twoRepositories>): Promise<void> {
  const { started, control: early } = await guardedAnew(t, two, { exclude_releases: true, exclude_owner_projects: true })
  if (!early?.ok) return t.untested(`the owner could not unlock the other repository (${early?.status})`)
  const late = await t.send(unlockRequest(two.owner, await exported(t, two.owner, started), two.repository.repo))
  if (!late.ok) t.deviation({ expected: 'a lock after the export', actual: String(late.status), exchanges: [early, late] })
}

/** Unlocks one repository before the export, and both after it and the deletion of the archive: nothing else of the run locks them meanwhile. */
async function aroundExport(t: CheckContext, two: Resolved<typeof twoRepositories>) {
  const { owner, repository, second } = two
  const { other } = await unlocking(t, two)
  if (!other.ok) t.untested('a lock may have been removed together with another one')
  return t.shared('locks around an export', async (shared) => {
    const { started, control: early } = await guardedAnew(shared, two, { exclude_owner_projects: true })
    const id = idOf(shared, started)
    if (!early?.ok) return shared.untested(`the owner could not unlock the other repository (${early?.status})`)
    const { ended } = await progress(shared, owner, id)
    const deletion = ended === 'exported' ? await shared.send(deletionRequest(owner, id)) : undefined
    const late = await shared.send(unlockRequest(owner, id, repository.repo))
    await shared.wait(lasting, 'an effect that must last')
    return { started, early, deletion, late, later: await shared.send(unlockRequest(owner, id, second.repo)) }
  })
}

function deletionRequest(as: Caller, migration: number): RequestSpec {
  return { endpoint: endpoints.deleteArchive, params: { migration_id: migration }, as }
}
