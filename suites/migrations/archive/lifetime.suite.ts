import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { briefly, everyTime, sendUntil } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { startLocked } from '../common/lock-state.ts'
import {
  ageOf,
  downloadRequest,
  expectExported,
  exported,
  isExpired,
  isServed,
  listedMigration,
  stateOf,
} from '../common/migration-state.ts'
import { type Started, startMigration } from '../common/start-request.ts'
import { idOf, mayBeTwo } from '../common/started-migrations.ts'
import { download, requireOwnServed } from './download.suite.ts'

const day = 24 * 60 * 60

const old = need('expired-migration')
const ofOld = download.with({
  needs: { owner: role('owner'), old },
  requirement: 'migrations.download.state',
  writes: false,
})

/** An archive exists for seven days, with a day of slack on both sides (document: Limits; readings E19). Last, since it moves the clock. */
export default download.suite([
  download.check(
    'expired',
    'rejects a download of an archive older than eight days',
    // Another check deletes the archive meanwhile, so that a repetition proves nothing.
    { requirement: 'migrations.download.lifetime', conclusive: true, also: { old } },
    async (t, resolved, { old: { migration_id } }) => {
      await requireOwnServed(t, resolved)
      const request = downloadRequest(resolved.owner, resolved.path, migration_id)
      const response = await t.send(request)
      // An archive is no older than the last update of its migration: one younger than eight days may still exist (readings E19).
      const { response: now } = await stateOf(t, resolved.owner, migration_id)
      if (isServed(response) && !(ageOf(now, now) > 8 * day * 1000))
        t.untested('the archive may be less than eight days old', 'expired-migration')
      expectGone(t, response)
      // A refused download brings no archive back.
      expectGone(t, await t.send(request))
    },
  ),
  ofOld.check(
    'expired-stays',
    'keeps a migration exported after its archive has expired',
    async (t, { owner, old }) => {
      const { migration_id } = old
      const { state, response } = await stateOf(t, owner, migration_id)
      if (state !== 'exported') {
        const { migration } = await listedMigration(t, owner, migration_id)
        const listed = isObject(migration?.value) ? migration.value.state : undefined
        // If the list contains the same state, the need is about another migration.
        if (listed === state) t.untested('the list shows the same state', 'expired-migration')
      }
      expectExported(t, { state, response })
    },
  ),
  download.check(
    'lifetime',
    'keeps an archive for seven days and no longer',
    {
      asks: ['advance-clock'],
      schedule: 'afterwards',
      also: mayBeTwo,
    },
    async (t, { owner, repository, path }, { second }) => {
      // Another run may move the clock as well, even where no Date shows it. Pauses of an export, at random, keep two runs out of step.
      const lost = await everyTime(t, async (time) => {
        if (time > 0 && t.random() < 0.5)
          await exported(t, owner, await startMigration(t, owner, [repository]))
        const plain = await startMigration(t, owner, [repository])
        // A lock neither shortens the lifetime nor prolongs it.
        const locked = second && (await startLocked(t, { owner, repository, second }, [], [second]))
        const archives = [await archiveOf(t, { owner, path }, plain)]
        const other = locked && (await unlessUntested(archiveOf(t, { owner, path }, locked)))
        if (other) archives.push(other)
        await t.ask('advance-clock', { seconds: 6 * day })
        for (const { started, request, first } of archives) {
          // Reading it does not prolong it.
          await stateOf(t, owner, idOf(t, started))
          const response = await sendUntil(t, request, isServed, briefly)
          if (!isServed(response)) return { started, response, first }
        }
        await t.ask('advance-clock', { seconds: 2 * day + 3600 })
        for (const { request } of archives)
          expectGone(t, await sendUntil(t, request, ({ status }) => status >= 400))
        return undefined
      })
      if (!lost) return
      if (isExpired(lost.started, lost.response))
        t.untested('another program moves the clock of the target')
      // A store of files may have a new archive later (readings G16).
      if (!isServed(lost.first)) t.untested('no archive was delivered before the clock was moved')
      t.expect(lost.response).satisfy('the archive after six days', false)
    },
  ),
])

/** The archive of a migration, after a download, which does not end its lifetime. */
async function archiveOf(
  t: CheckContext,
  { owner, path }: { owner: Caller; path: string },
  started: Started,
) {
  const request = downloadRequest(owner, path, await exported(t, owner, started))
  return { started, request, first: await sendUntil(t, request, isServed, briefly) }
}

function expectGone(t: CheckContext, response: Exchange) {
  t.expect(response).satisfy(
    'no archive after eight days',
    response.status >= 400 && !response.broken,
  )
}
