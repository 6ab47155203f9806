import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { archiveNeeds, downloadRequest, exported, stateOf } from '../common/migration-state.ts'
import { start } from '../common/start-request.ts'
import { servesOwn } from './download.suite.ts'

const day = 24 * 60 * 60

const id = 'migrations.download'

/** An archive is there for seven days, with a day of slack on both sides (document: Limits; readings E19). Last, since it moves the clock. */
export default suite({
  area: 'migrations',
  endpoint: endpoints.downloadArchive,
  checks: [
    check({
      id: `${id}.expired`,
      requirement: 'migrations.download.lifetime',
      level: 'must',
      title: 'rejects a download of an archive older than eight days',
      needs: { ...archiveNeeds, old: need('expired-migration') },
      writes: true,
      run: async (t, { old, ...resolved }) => {
        await servesOwn(t, resolved)
        const answer = await t.send(downloadRequest(resolved.owner, resolved.path, old.migration_id))
        if (answer.status < 400) await requireOld(t, resolved.owner, old.migration_id)
        expectGone(t, answer, 'no archive after eight days')
      },
    }),
    check({
      id: `${id}.expired-stays`,
      requirement: 'migrations.download.state',
      level: 'must',
      title: 'keeps a migration exported after its archive has expired',
      needs: { owner: role('owner'), old: need('expired-migration') },
      run: async (t, { owner, old }) => {
        await new Listing(t, { endpoint: endpoints.listMigrations, as: owner }).page()
        const { state, answer } = await stateOf(t, owner, old.migration_id)
        if (state === 'pending' || state === 'exporting') t.untested(`the migration is still ${state}`, 'expired-migration')
        if (state !== 'exported')
          t.deviation({ expected: 'exported', actual: state ?? String(answer.status), exchanges: [answer] })
        t.examined(1)
      },
    }),
    check({
      id: `${id}.lifetime`,
      requirement: 'migrations.download.lifetime',
      level: 'must',
      title: 'keeps an archive for seven days and no longer',
      needs: archiveNeeds,
      asks: ['advance-clock'],
      writes: true,
      schedule: 'afterwards',
      run: async (t, { owner, repository, path }) => {
        const request = async () => downloadRequest(owner, path, await exported(t, owner, await start(t, owner, [repository])))
        const first = await afterSixDays(t, await request())
        // Somebody else who moves the target's clock as well does so hardly twice.
        const kept = first.answer.status < 400 ? first : await afterSixDays(t, await request())
        expectKept(t, kept.answer)
        expectGone(t, await later(t, kept.request, 2 * day + 3600), 'no archive after eight days')
      },
    }),
  ],
})

/** The archive was made no earlier than its migration was updated last: a younger one than eight days may still be there (readings E19). */
async function requireOld(t: CheckContext, owner: Caller, id: number): Promise<void> {
  const { answer } = await stateOf(t, owner, id)
  const updated = isObject(answer.json) ? Date.parse(String(answer.json.updated_at)) : Number.NaN
  const age = Date.parse(answer.header('date') ?? '') - updated
  if (!(age > 8 * day * 1000)) t.untested('nothing shows that the archive is more than eight days old', 'expired-migration')
}

/** The request's answer after the target's clock was moved on. */
async function later(t: CheckContext, request: Parameters<CheckContext['send']>[0], seconds: number): Promise<Exchange> {
  await t.ask('advance-clock', { seconds })
  return t.send(request)
}

async function afterSixDays(t: CheckContext, request: Parameters<CheckContext['send']>[0]) {
  return { request, answer: await later(t, request, 6 * day) }
}

function expectKept(t: CheckContext, answer: Exchange): void {
  if (answer.status >= 400)
    t.deviation({ expected: 'the archive after six days', actual: String(answer.status), exchanges: [answer] })
  t.examined(1)
}

function expectGone(t: CheckContext, answer: Exchange, expected: string): void {
  if (answer.status < 400) t.deviation({ expected, actual: String(answer.status), exchanges: [answer] })
  t.examined(1)
}
