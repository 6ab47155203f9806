import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Resolved } from '../../src/suite/needs.ts'
import { startLocked, unlocking, unlockOnceLocked, unlockRequest } from './locks.ts'
import { exported, idOf, twoRepositories } from './started.ts'

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
  const { owner, repository, second } = two
  const migration = await exported(t, owner, await startLocked(t, two, { exclude_releases: true }))
  const control = await t.send(unlockRequest(owner, migration, second.repo))
  if (!control.ok) t.untested(`the owner could not unlock the other repository (${control.status})`)
  const again = await t.send(unlockRequest(owner, migration, second.repo))
  if (again.ok) t.untested(`unlocking it again returned ${again.status}, so the status does not say whether there was a lock`)
  const deletion = await t.send({ endpoint: endpoints.deleteArchive, params: { migration_id: migration }, as: owner })
  if (!deletion.ok) t.untested(`the deletion returned ${deletion.status}`)
  t.expect(await t.send(unlockRequest(owner, migration, repository.repo))).status(204)
}

/** Nor does the end of the export unlock anything. */
export function locksOutlastExportCheck(id: string): Check {
  return check({
    id: `${id}.after-export`,
    requirement: 'migrations.unlock.status',
    level: 'should',
    title: 'keeps the locks of the migration after its export',
    needs: twoRepositories,
    writes: true,
    schedule: 'alone',
    run: async (t, resolved) => locksOutlastExport(t, resolved),
  })
}

async function locksOutlastExport(t: CheckContext, two: Resolved<typeof twoRepositories>): Promise<void> {
  const { owner, repository, second } = two
  const { other } = await unlocking(t, two)
  if (!other.ok) t.untested('a lock may have been removed together with another one')
  const started = await startLocked(t, two, { exclude_owner_projects: true })
  const early = await unlockOnceLocked(t, owner, idOf(t, started), second.repo)
  if (!early.ok) t.untested(`the owner could not unlock the other repository (${early.status})`)
  const migration = await exported(t, owner, started)
  const late = await t.send(unlockRequest(owner, migration, repository.repo))
  if (!late.ok) t.deviation({ expected: 'a lock after the export', actual: String(late.status), exchanges: [early, late] })
  t.examined(1)
}
