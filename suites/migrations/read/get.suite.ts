import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need } from '../../../src/suite/needs.ts'
import { recordedObjects } from '../../common/recorded.ts'
import { embeddedRemovals } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { jsonMediaType } from '../../common/served.ts'
import { accessChecks, expectNotServed } from '../common/access.ts'
import { identityCheck, migrationChecks } from '../common/every-migration.ts'
import { everyAnswer, readEchoChecks } from '../common/flags.ts'
import { bodyOf, expectNoStrangers, expectRepositories, isState, membersOf, observeState } from '../common/forms.ts'
import { migratedRepositories } from '../common/migrated-repositories.ts'
import {
  exported,
  idOf,
  type MigrationNeeds,
  metadataOnly,
  migrationRequest,
  needs,
  plain,
  progress,
} from '../common/migration-state.ts'
import { unknownMigration } from '../common/unknown.ts'
import { withoutRepositories } from './without-repositories.ts'

const id = 'migrations.get'
const endpoint = endpoints.getMigration

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    check({
      id: `${id}.status`,
      requirement: 'migrations.get.status',
      level: 'must',
      title: 'returns 200 with the requested migration',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const wanted = idOf(t, await plain(t, resolved))
        const answer = await t.read(migrationRequest(resolved.owner, wanted))
        t.expect(answer).status(200)
        t.expectAll(membersOf([bodyOf(answer)], 'id'), 'id').satisfy(`the id ${wanted}`, (value) => value === wanted)
      },
    }),
    check({
      id: `${id}.media-type`,
      requirement: 'conventions.json',
      level: 'must',
      title: 'sends a JSON media type as Content-Type',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const answers = await everyAnswer(t, resolved.owner, await plain(t, resolved))
        const served = answers.filter(({ status }) => status === 200)
        if (served.length === 0) t.untested(`the response was ${answers[0]?.status}`)
        for (const answer of served) t.expect(answer).header('content-type', jsonMediaType)
      },
    }),
    ...migrationChecks({
      id,
      needs,
      read: async (t, resolved) => {
        const answer = await t.read(migrationRequest(resolved.owner, idOf(t, await plain(t, resolved))))
        return answer.status === 200 ? [bodyOf(answer), ...recordedObjects(t, endpoint)] : []
      },
      schedule: 'afterwards',
    }),
    identityCheck({
      id,
      read: async (t, resolved) => {
        const { answers } = await progress(t, resolved.owner, idOf(t, await plain(t, resolved)))
        return answers.filter(({ status }) => status === 200).map(bodyOf)
      },
    }),
    check({
      id: `${id}.no-redirect`,
      requirement: 'migrations.get.status',
      level: 'should',
      title: 'returns 200 at the documented path, without a redirect',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const request = migrationRequest(resolved.owner, idOf(t, await plain(t, resolved)))
        if ((await t.read(request)).status !== 200) t.untested('the migration could not be read')
        t.expect(await t.read({ ...request, direct: true })).status(200)
      },
    }),
    check({
      id: `${id}.progress`,
      requirement: 'migrations.migration.state',
      level: 'must',
      title: 'returns states in their documented spelling until the export has ended',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const { answers, ended } = await progress(t, resolved.owner, idOf(t, await plain(t, resolved)))
        const states = membersOf(answers.map(bodyOf), 'state')
        for (const { value } of states) observeState(t, value)
        t.expectAll(states, 'state').satisfy('pending, exporting, exported, failed, or an undocumented state', isState)
        if (ended === undefined) t.untested('the export did not end within polling.maxWaitSeconds')
      },
    }),
    check({
      id: `${id}.repositories`,
      requirement: 'migrations.get.repositories',
      level: 'must',
      title: 'lists exactly the requested repository once it is exported',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const started = await plain(t, resolved)
        const early = await t.read(migrationRequest(resolved.owner, idOf(t, started)))
        for (const list of membersOf([bodyOf(early)], 'repositories')) expectNoStrangers(t, list, started.repositories)
        const late = await t.send(migrationRequest(resolved.owner, await exported(t, resolved.owner, started)))
        for (const list of membersOf([bodyOf(late)], 'repositories')) expectRepositories(t, list, started.repositories)
      },
    }),
    check({
      id: `${id}.org-metadata-only`,
      requirement: 'migrations.get.org-metadata-only',
      level: 'must',
      title: 'includes org_metadata_only as a boolean',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const answer = await t.read(migrationRequest(resolved.owner, idOf(t, await plain(t, resolved))))
        if (!isObject(answer.json) || answer.status !== 200) t.untested(`the response was ${answer.status}`)
        t.expectAll([bodyOf(answer)], 'migration').satisfy('a boolean org_metadata_only', holdsFlag)
      },
    }),
    check({
      id: `${id}.keeps-org-metadata-only`,
      requirement: 'migrations.start.echo',
      level: 'must',
      title: 'returns org_metadata_only as it was sent',
      needs: { owner: needs.owner },
      writes: true,
      run: async (t, { owner }) => {
        const answers = await everyAnswer(t, owner, await metadataOnly(t, owner))
        const values = membersOf(answers.map(bodyOf), 'org_metadata_only')
        t.expectAll(values, 'org_metadata_only').satisfy('true', (value) => value === true)
      },
    }),
    ...readEchoChecks(id),
    ...withoutRepositories({
      id,
      requirement: 'migrations.get.exclude',
      whole: async (t, resolved) => t.read(migrationRequest(resolved.owner, idOf(t, await plain(t, resolved)))),
      read: async (t, resolved) => {
        const request = migrationRequest(resolved.owner, idOf(t, await plain(t, resolved)))
        const spellings = [{ exclude: ['repositories'] }, { 'exclude[]': ['repositories'] }]
        return [await t.read({ ...request, query: spellings[0] ?? {} }), await t.read({ ...request, query: spellings[1] ?? {} })]
      },
    }),
    unknownMigration({
      id,
      requirement: 'migrations.get.unknown',
      needs,
      request: migrationRequest,
      served: async (t, resolved) => (await ownOf(t, resolved)).ok,
    }),
    check({
      id: `${id}.foreign`,
      requirement: 'migrations.access.own',
      level: 'must',
      title: "rejects a request for another user's migration",
      conclusive: true,
      needs: { ...needs, foreign: need('foreign-migration') },
      writes: true,
      run: async (t, { foreign, ...resolved }) => {
        const { ok, status } = await ownOf(t, resolved)
        if (!ok) t.untested(`the request fails for the caller's own migration as well (${status})`)
        expectNotServed(t, await t.read(migrationRequest(resolved.owner, foreign.migration_id)))
      },
    }),
    ...accessChecks({
      id,
      needs,
      requirement: 'migrations.get.unauthenticated',
      listed401: true,
      ofOneMigration: true,
      request: async (t, resolved) => {
        const wanted = idOf(t, await plain(t, resolved))
        const { status } = await t.read(migrationRequest(resolved.owner, wanted))
        if (status !== 200) t.untested(`the request fails for the owner as well (${status})`)
        return (as) => migrationRequest(as, wanted)
      },
    }),
    ...removedFieldChecks({
      id,
      endpoint,
      needs,
      fields: [embeddedRemovals.squashTitle, embeddedRemovals.hasDownloads],
      also: migratedRepositories,
      read: async (t, resolved) => t.read(migrationRequest(resolved.owner, idOf(t, await plain(t, resolved)))),
    }),
  ],
})

/** The caller's own migration, by the same request (readings G15). */
async function ownOf(t: CheckContext, resolved: MigrationNeeds): Promise<Exchange> {
  return t.read(migrationRequest(resolved.owner, idOf(t, await plain(t, resolved))))
}

function holdsFlag(value: unknown): boolean {
  return isObject(value) && typeof value.org_metadata_only === 'boolean'
}
