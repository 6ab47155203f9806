import type { Exchange } from '../../src/http/exchange.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { configuredPath, need, role } from '../../src/suite/needs.ts'
import { archiveNeeds, downloadRequest, exported, start } from './started.ts'

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
      title: 'rejects a download of an archive older than seven days',
      needs: { owner: role('owner'), path: configuredPath('downloadArchive'), old: need('expired-migration') },
      run: async (t, { owner, path, old }) => {
        const answer = await t.send(downloadRequest(owner, path, old.migration_id))
        expectGone(t, answer, 'no archive after seven days')
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
        const wanted = await exported(t, owner, await start(t, owner, [repository]))
        const request = downloadRequest(owner, path, wanted)
        expectKept(t, await later(t, request, 6 * day))
        expectGone(t, await later(t, request, 2 * day + 3600), 'no archive after eight days')
      },
    }),
  ],
})

/** The request's answer after the target's clock was moved on. */
async function later(t: CheckContext, request: Parameters<CheckContext['send']>[0], seconds: number): Promise<Exchange> {
  await t.ask('advance-clock', { seconds })
  return t.send(request)
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
