import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { configuredPath, optional, type Resolved } from '../../../src/suite/needs.ts'
import { everyTime, moment, sendUntil } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import {
  besideLocks,
  firstUnlock,
  type Guarded,
  guarded,
  guardedAnew,
  otherThan,
  requireSeparate,
  startLocked,
  type Two,
  unknownRepository,
  unlockIn,
  unlocking,
  unlockRequest,
} from '../common/lock-state.ts'
import {
  delivery,
  expectExported,
  exported,
  exportedState,
  progress,
} from '../common/migration-state.ts'
import { deletionRequest, type Started } from '../common/start-request.ts'
import { idOf, plain, type twoRepositories } from '../common/started-migrations.ts'

/** The archive is downloaded if its path is configured. */
const also = { path: optional(configuredPath('downloadArchive')) }

/** Only unlocking ends a lock, so the deletion of the archive keeps it (document: States and transitions). */
export function locksStayCheck(deletion: Operation<typeof twoRepositories>) {
  return deletion.check(
    'locks-stay',
    'keeps the locks of the migration after the deletion of its archive',
    { requirement: 'migrations.delete-archive.locks', level: 'should', also },
    expectLockAfterDeletion,
  )
}

async function expectLockAfterDeletion(t: CheckContext, two: Two, { path }: Resolved<typeof also>) {
  const known = await unlessUntested(aroundExport(t, two, path))
  if (known) await exported(t, two.owner, known.started)
  // A lock that outlasted both proves it. For a missing lock, only a migration of its own identifies the cause.
  const [late] = known?.late ?? []
  if (known?.deletion?.ok && late && areKept(known)) return void t.expect(late).status(204)
  const { owner, repository, second } = two
  const migration = await exported(t, owner, await startLocked(t, two, ['exclude_releases']))
  const [control, again] = await unlockIn(t, owner, migration, [second, second])
  if (!control?.ok)
    t.untested(`the owner could not unlock the other repository (${control?.status})`)
  if (again?.ok)
    t.untested(`unlocking it again returned ${again.status}, as if it were still locked`)
  const deletion = await sendUntil(t, deletionRequest(owner, migration))
  t.expect(deletion).satisfy('a deletion beside a lock', deletion.ok)
  t.expect(await t.send(unlockRequest(owner, migration, repository.repo))).status(204)
}

/** Each repository has a lock. The end of the export neither unlocks a repository nor locks an unlocked one again. */
export function lockChecks(unlock: Operation<typeof twoRepositories>) {
  return [
    unlock.check(
      'one-at-a-time',
      'keeps a separate lock for each repository',
      'migrations.start.locks',
      async (t, two) => {
        const { first, again, state, others } = await unlocking(t, two)
        t.expect(state, first).satisfy(
          'the migration beside its other locks',
          state.ok,
          String(state.status),
        )
        if (!first.ok) t.untested(`unlocking the first repository returned ${first.status}`)
        if (again.ok)
          t.untested(`unlocking it again returned ${again.status}, as if it were still locked`)
        for (const other of others)
          t.expect(other, first).satisfy('a lock on each other repository', other.status < 300)
        const lost = await everyTime(t, () => lostLocks(t, two))
        if (lost) t.deviation({ expected: 'each lock', actual: '404', exchanges: lost })
      },
    ),
    unlock.check(
      'beside-flags',
      'accepts a lock that was requested together with exclusions',
      { requirement: 'migrations.start.locks', also },
      async (t, two, { path }) => {
        await requireSeparate(t, two)
        await expectLockBeside(t, two, await guarded(t, two), besideLocks.refusals)
        await expectLockBeside(t, two, await besideExport(t, two, path), besideLocks.export)
      },
    ),
    unlock.check(
      'after-export',
      'keeps locks and the state after the export, and delivers the archive meanwhile',
      { requirement: 'migrations.unlock.status', level: 'should', also },
      async (t, two, { path }) => {
        const known = await aroundExport(t, two, path)
        const { state } = await exportedState(
          t,
          two.owner,
          await exported(t, two.owner, known.started),
        )
        const isServed = (known.download?.status ?? 0) < 400
        if (!known.late.every(({ ok }) => ok) || state !== 'exported' || !isServed)
          await expectKeptByExport(t, two, path)
        t.examined(1)
      },
    ),
    unlock.check(
      'lasts',
      'keeps the repository unlocked: two seconds later it is not locked again',
      { requirement: 'migrations.unlock.not-locked', also },
      async (t, two, { path }) => {
        const { again } = await unlocking(t, two)
        if (again.status !== 404) t.untested(`unlocking a second time returned ${again.status}`)
        const { early, later } = await aroundExport(t, two, path)
        t.expect(later, early).satisfy('404, as the repository was unlocked before', !later.ok)
      },
    ),
  ]
}

/** A lock that is refused beside flags each time, and accepted without them, is refused because of the flags. Otherwise it is there. */
async function expectLockBeside(
  t: CheckContext,
  two: Two,
  { started: { id, response }, control }: Guarded,
  flags: readonly string[],
) {
  if (id !== undefined)
    return void t
      .expect(control ?? response, response)
      .satisfy('a lock', control?.ok === true, String(control?.status))
  const refused = await everyTime(t, async () => {
    const { id: alone, repositories } = await startLocked(t, two)
    if (alone === undefined)
      t.untested(`a lock without flags was refused as well (${response.status})`)
    await unlockIn(t, two.owner, alone, repositories)
    const further = await startLocked(t, two, flags)
    if (further.id === undefined) return further.response
    await unlockIn(t, two.owner, further.id, repositories)
    return undefined
  })
  if (refused) t.expect(refused).satisfy(`a lock beside ${flags.join(', ')}`, false)
}

/** Unlocks a repository that a migration locks alone, and an unknown one. Other migrations keep their locks of other repositories. */
async function lostLocks(t: CheckContext, two: Two) {
  const { owner, second } = two
  const { started, control } = await guardedAnew(t, two, ...besideLocks.separate)
  const single = await startLocked(t, two, besideLocks.separate, [second], {
    exclude: ['repositories'],
  })
  if (!control?.ok || single.id === undefined) return undefined
  const alone = await firstUnlock(t, owner, single, second)
  const id = idOf(t, started)
  await t.send(unlockRequest(owner, id, unknownRepository))
  const others = await unlockIn(t, owner, id, otherThan(second, two))
  const lost = [alone, ...others].filter(({ status }) => status === 404)
  return lost.length > 0 ? lost : undefined
}

/** A lock outlasts the export of a migration whose archive is not deleted, and its archive is delivered like that of an earlier one. */
async function expectKeptByExport(t: CheckContext, two: Two, path: string | undefined) {
  const { started, control: early } = await guardedAnew(
    t,
    two,
    'exclude_releases',
    'exclude_owner_projects',
  )
  if (!early?.ok)
    return t.untested(`the owner could not unlock the other repository (${early?.status})`)
  const id = await exported(t, two.owner, started)
  const download = async (of: typeof started) =>
    path && (await delivery(t, { owner: two.owner, path }, of)).redirect
  const delivered = await download(started)
  const others = await unlockIn(t, two.owner, id, otherThan(two.second, two))
  const late = others.find(({ ok }) => !ok)
  if (late) t.expect(late, early).satisfy('a lock after the export', false)
  expectExported(t, await exportedState(t, two.owner, id), ...others)
  const control = delivered && (await download(await plain(t, two)))
  if (delivered && control && control.status === 302) t.expect(delivered, control).status(302)
}

/** The locks of a migration around its export. */
interface AroundExport {
  readonly started: Started
  /** The response to unlocking the second repository before the export, and once more in the end. */
  readonly early: Exchange
  readonly later: Exchange
  /** The responses to unlocking the others after the export. */
  readonly late: readonly Exchange[]
  readonly download?: Exchange | undefined
  readonly deletion?: Exchange | undefined
}

/** True if the locks outlasted the export, and the unlocked repository stayed unlocked. */
const areKept = ({ late, later }: AroundExport) => late.every(({ ok }) => ok) && !later.ok

/** Unlocks one repository before the export, and all after it and the deletion of the archive. */
async function aroundExport(t: CheckContext, two: Two, path?: string) {
  await requireSeparate(t, two)
  const { started, seen } = await besideExport(t, two, path)
  return (
    seen ??
    t.untested(`the owner could not unlock the other repository (${started.response.status})`)
  )
}

/** The same. Without `seen` if the migration was not started, or its control was refused. */
function besideExport(t: CheckContext, two: Two, path?: string) {
  const { owner, second } = two
  return t.shared('locks around an export', async (shared) => {
    const { started, control: early } = await guardedAnew(shared, two, ...besideLocks.export)
    const id = Number(started.id)
    if (!early?.ok) return { started, control: early }
    await sendUntil(shared, unlockRequest(owner, id, second.repo), ({ status }) => status === 404)
    const { ended } = await progress(shared, owner, id)
    const isExported = ended === 'exported'
    const download =
      path && isExported ? (await delivery(shared, { owner, path }, started)).redirect : undefined
    const deletion = isExported ? await shared.send(deletionRequest(owner, id)) : undefined
    const others = otherThan(second, two)
    const late = await unlockIn(shared, owner, id, others.reverse())
    await moment(shared, 'an effect that must last')
    const later = await shared.send(unlockRequest(owner, id, second.repo))
    const seen = { started, early, download, deletion, late, later }
    // Where a lock is the repository's own, other checks may have changed it during the export: this is judged again after them.
    if (!areKept(seen)) await shared.settle('the locks of other checks')
    return { started, control: early, seen }
  })
}
