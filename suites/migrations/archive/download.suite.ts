import type { Caller } from '../../../src/http/exchange/caller.ts'
import { redirectTarget } from '../../../src/http/exchange/redirect.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { configuredPath, need, type Resolved, role } from '../../../src/suite/needs.ts'
import { accessChecks, expectNotServed } from '../common/access.ts'
import {
  archiveNeeds,
  bystander,
  contents,
  delivery,
  disposable,
  downloadRequest,
  idOf,
  plain,
  stateOf,
  twoRepositories,
} from '../common/migration-state.ts'
import { start } from '../common/start-request.ts'

const id = 'migrations.download'
const endpoint = endpoints.downloadArchive
const anyValue = { name: 'an address', pattern: /./ }
const twoArchives = { ...twoRepositories, path: archiveNeeds.path }

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    check({
      id: `${id}.status`,
      requirement: 'migrations.download.status',
      level: 'must',
      title: 'returns 302 for an exported migration',
      needs: archiveNeeds,
      writes: true,
      run: async (t, resolved) => {
        const { redirect } = await delivery(t, resolved, await plain(t, resolved))
        t.expect(redirect).status(302)
      },
    }),
    check({
      id: `${id}.location`,
      requirement: 'migrations.download.location',
      level: 'must',
      title: 'sends an http(s) URL as Location',
      needs: archiveNeeds,
      writes: true,
      run: async (t, resolved) => {
        const { redirect } = await delivery(t, resolved, await plain(t, resolved))
        if (redirect.status !== 302) t.untested(`the response was ${redirect.status}`)
        t.expect(redirect).header('location', anyValue)
        if (!redirectTarget(redirect)) {
          const actual = String(redirect.header('location'))
          t.deviation({ expected: 'an http(s) address', actual, exchanges: [redirect] })
        }
      },
    }),
    check({
      id: `${id}.delivers`,
      requirement: 'migrations.download.location',
      level: 'must',
      title: 'redirects to a URL that serves the archive without Authorization',
      needs: archiveNeeds,
      writes: true,
      run: async (t, resolved) => {
        const { redirect, delivered, inspection } = await delivery(t, resolved, await plain(t, resolved))
        if (!redirectTarget(redirect)) t.untested('the redirect has no usable Location')
        if (!inspection) t.deviation({ expected: '200', actual: String(delivered.status), exchanges: [redirect, delivered] })
        t.examined(1)
      },
    }),
    check({
      id: `${id}.again`,
      requirement: 'migrations.download.lifetime',
      level: 'must',
      title: 'returns an archive a second time',
      needs: archiveNeeds,
      writes: true,
      run: async (t, resolved) => servesAgain(t, resolved),
    }),
    check({
      id: `${id}.distinct`,
      requirement: 'migrations.download.own-archive',
      level: 'must',
      title: 'returns a different archive for each migration',
      needs: twoArchives,
      writes: true,
      slow: true,
      run: async (t, resolved) => {
        // Those that wait for an export while nothing else may happen find it made.
        await Promise.all([disposable(t, resolved), bystander(t, resolved)])
        const { answer: one } = await contents(t, resolved, await plain(t, resolved))
        const { answer: other } = await contents(t, resolved, await disposable(t, resolved))
        const [a, b] = [one.response.streamed, other.response.streamed]
        if (!a || !b || a.bytes === 0) return t.untested('the target did not deliver two archives')
        if (a.sha256 === b.sha256)
          t.deviation({ expected: 'a different archive', actual: 'the same bytes', exchanges: [one, other] })
        t.examined(1)
      },
    }),
    check({
      id: `${id}.before-exported`,
      requirement: 'migrations.download.before-exported',
      level: 'must',
      title: 'rejects a download before the migration is exported',
      needs: twoArchives,
      writes: true,
      schedule: 'alone',
      run: async (t, { owner, repository, second, path }) => {
        for (let tried = 0; tried < 3; tried += 1) {
          const started = await start(t, owner, [repository, second])
          if (await refusedWhileUnfinished(t, owner, path, idOf(t, started))) return
        }
        t.untested('each migration was exported before it could be tried')
      },
    }),
    check({
      id: `${id}.failed`,
      requirement: 'migrations.download.before-exported',
      level: 'must',
      title: 'rejects a download of a failed migration',
      needs: { owner: role('owner'), path: configuredPath('downloadArchive'), failed: need('failed-migration') },
      run: async (t, { owner, path, failed }) => {
        const judged = await refusedWhileUnfinished(t, owner, path, failed.migration_id)
        if (!judged) t.untested('the migration has not failed')
      },
    }),
    check({
      id: `${id}.foreign`,
      requirement: 'migrations.access.own',
      level: 'must',
      title: "rejects a request for another user's migration",
      conclusive: true,
      needs: { ...archiveNeeds, foreign: need('foreign-migration') },
      writes: true,
      run: async (t, { foreign, ...resolved }) => {
        await servesOwn(t, resolved)
        expectNotServed(t, await t.send(downloadRequest(resolved.owner, resolved.path, foreign.migration_id)))
      },
    }),
    check({
      id: `${id}.state-stays`,
      requirement: 'migrations.download.state',
      level: 'must',
      title: 'keeps the state exported after a download',
      needs: archiveNeeds,
      writes: true,
      run: async (t, resolved) => {
        await servesOwn(t, resolved)
        const { state, answer } = await stateOf(t, resolved.owner, idOf(t, await plain(t, resolved)))
        if (state !== 'exported')
          t.deviation({ expected: 'exported', actual: state ?? String(answer.status), exchanges: [answer] })
        t.examined(1)
      },
    }),
    ...accessChecks({
      id,
      needs: archiveNeeds,
      requirement: 'migrations.download.unauthenticated',
      listed401: true,
      ofOneMigration: true,
      request: async (t, resolved) => {
        await servesOwn(t, resolved)
        const wanted = idOf(t, await plain(t, resolved))
        return (as) => downloadRequest(as, resolved.path, wanted)
      },
    }),
  ],
})

/** The control of a refusal: the archive of the caller's own migration is delivered (readings G15). */
export async function servesOwn(t: CheckContext, resolved: Resolved<typeof archiveNeeds>): Promise<void> {
  const { redirect } = await delivery(t, resolved, await plain(t, resolved))
  if (redirect.status !== 302) t.untested(`the request fails for the caller's own migration as well (${redirect.status})`)
}

/** Asks for an archive between two looks at the state; false where the migration was exported by then (readings E4, E16). */
async function refusedWhileUnfinished(t: CheckContext, owner: Caller, path: string, id: number): Promise<boolean> {
  const before = await stateOf(t, owner, id)
  const answer = await t.send(downloadRequest(owner, path, id))
  const after = await stateOf(t, owner, id)
  const unfinished = [before, after].every(({ state }) => state !== undefined && state !== 'exported')
  if (!unfinished) return false
  if (answer.status < 400) {
    const actual = `${answer.status} while the state was ${before.state} and then ${after.state}`
    t.deviation({ expected: 'no archive', actual, exchanges: [before.answer, answer, after.answer] })
  }
  t.examined(1)
  return true
}

/** An archive lives for seven days, however often it was downloaded; of the second delivery only the beginning is read. */
async function servesAgain(t: CheckContext, resolved: Resolved<typeof archiveNeeds>): Promise<void> {
  const started = await plain(t, resolved)
  const first = await delivery(t, resolved, started)
  const served = first.redirect.status === 302 && first.inspection
  if (!served) t.untested(`no archive was delivered (${first.redirect.status}, then ${first.delivered.status})`)
  const redirect = await t.send(downloadRequest(resolved.owner, resolved.path, idOf(t, started)))
  t.expect(redirect).status(302)
  const { exchange, result } = await t.download(redirect, async (body) => {
    for await (const _ of body) break
    return true
  })
  if (result) return t.examined(1)
  t.deviation({ expected: 'the archive once more', actual: String(exchange.status), exchanges: [redirect, exchange] })
}
