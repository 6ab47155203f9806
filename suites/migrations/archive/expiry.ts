import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { sendUntil } from '../../../src/suite/observe.ts'
import { listedMigration } from '../common/list-contents.ts'
import { archiveNeeds, downloadRequest, exported, stateOf } from '../common/migration-state.ts'
import { startMigration } from '../common/start-request.ts'
import { requireOwnServed } from './download.suite.ts'

const day = 24 * 60 * 60

const endpoint = endpoints.downloadArchive
const download = operation({ id: 'migrations.download', endpoint, needs: archiveNeeds, level: 'must', writes: true })
const old = need('expired-migration')
const ofOld = download.with({ needs: { owner: role('owner'), old }, requirement: 'migrations.download.state', writes: false })

/** An archive exists for seven days, with a day of slack on both sides (document: Limits; readings E19). Last, since it moves the clock. */
export default download.suite([
  download.check(
    'expired',
    'rejects a download of an archive older than eight days',
    { requirement: 'migrations.download.lifetime', also: { old } },
    async (t, resolved, also) => {
      await requireOwnServed(t, resolved)
      const { migration_id } = also.old
      const answer = await t.send(downloadRequest(resolved.owner, resolved.path, migration_id))
      if (answer.status < 400) await requireOld(t, resolved.owner, migration_id)
      expectGone(t, answer)
    },
  ),
  ofOld.check('expired-stays', 'keeps a migration exported after its archive has expired', async (t, { owner, old }) => {
    const { migration_id } = old
    const { state, answer } = await stateOf(t, owner, migration_id)
    // If the list contains the same state, the need is about another migration.
    const { migration } = state === 'exported' ? {} : await listedMigration(t, owner, migration_id)
    const listed = isObject(migration?.value) ? migration.value.state : undefined
    if (state !== 'exported' && listed === state) t.untested('the list shows the same state', 'expired-migration')
    t.expect(answer).satisfy('exported', state === 'exported', state ?? String(answer.status))
  }),
  download.check(
    'lifetime',
    'keeps an archive for seven days and no longer',
    { asks: ['advance-clock'], schedule: 'afterwards' },
    async (t, { owner, repository, path }) => {
      const afterSixDays = async () => {
        const request = downloadRequest(owner, path, await exported(t, owner, await startMigration(t, owner, [repository])))
        return { request, answer: await sendLater(t, request, 6 * day, ({ status }) => status < 400) }
      }
      const first = await afterSixDays()
      // Another program that moves the target's clock as well does so hardly twice.
      const { request, answer } = first.answer.status < 400 ? first : await afterSixDays()
      t.expect(answer).satisfy('the archive after six days', answer.status < 400, String(answer.status))
      expectGone(t, await sendLater(t, request, 2 * day + 3600, ({ status }) => status >= 400))
    },
  ),
])

/** An archive is no older than the last update of its migration: one younger than eight days may still exist (readings E19). */
async function requireOld(t: CheckContext, owner: Caller, id: number): Promise<void> {
  const { answer } = await stateOf(t, owner, id)
  const updated = isObject(answer.json) ? Date.parse(String(answer.json.updated_at)) : Number.NaN
  const age = Date.parse(answer.header('date') ?? '') - updated
  if (!(age > 8 * day * 1000)) t.untested('the archive may be less than eight days old', 'expired-migration')
}

/** Moves the target's clock forward and sends the request, until the response is as expected (readings G16). */
async function sendLater(t: CheckContext, request: RequestSpec, seconds: number, isExpected: (answer: Exchange) => boolean) {
  await t.ask('advance-clock', { seconds })
  return sendUntil(t, request, isExpected)
}

function expectGone(t: CheckContext, answer: Exchange): void {
  t.expect(answer).satisfy('no archive after eight days', answer.status >= 400, String(answer.status))
}
