import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import { loginOf } from '../../../src/suite/needs.ts'
import { embeddedRemovals } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { jsonMediaType } from '../../common/served.ts'
import { excuseLimit, excuseSpam, expectStarted } from '../common/accepted-bodies.ts'
import { startsOf } from '../common/accepted-starts.ts'
import { migrationChecks } from '../common/every-migration.ts'
import { echoChecks, everyAnswer } from '../common/flags.ts'
import { bodyOf, expectNoStrangers, expectRepositories, membersOf } from '../common/forms.ts'
import { listedMigration } from '../common/list-contents.ts'
import { migratedRepositories } from '../common/migrated-repositories.ts'
import {
  disposable,
  exported,
  metadataOnly,
  migrationRequest,
  needs,
  ofTwo,
  plain,
  twoRepositories,
} from '../common/migration-state.ts'
import { start } from '../common/start-request.ts'
import { withoutRepositories } from '../read/without-repositories.ts'
import { distinctCheck } from './distinct.ts'
import { refusedBodyChecks } from './refused-bodies.ts'
import { startAccessChecks } from './start-access.ts'

const id = 'migrations.start'
const endpoint = endpoints.startMigration

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    check({
      id: `${id}.status`,
      requirement: 'migrations.start.status',
      level: 'must',
      title: 'returns 201 for a valid request body',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const started = await plain(t, resolved)
        await excuseLimit(t, resolved, started)
        t.expect(started.answer).status(201)
      },
    }),
    check({
      id: `${id}.flags-optional`,
      requirement: 'migrations.start.flag-defaults',
      level: 'must',
      title: 'returns 201 for a request body with repositories alone',
      needs: twoRepositories,
      writes: true,
      run: async (t, resolved) => {
        const started = await disposable(t, resolved)
        await expectStarted(t, resolved, started, 'repositories alone')
        t.expect(started.answer).status(201)
      },
    }),
    check({
      id: `${id}.org-metadata-only-default`,
      requirement: 'migrations.start.flag-defaults',
      level: 'must',
      title: 'applies false as the default of org_metadata_only',
      needs: twoRepositories,
      writes: true,
      run: async (t, resolved) => {
        const answers = await everyAnswer(t, resolved.owner, await disposable(t, resolved))
        const values = membersOf(answers.map(bodyOf), 'org_metadata_only')
        t.expectAll(values, 'org_metadata_only').satisfy('false', (value) => value === false)
      },
    }),
    distinctCheck(id),
    check({
      id: `${id}.media-type`,
      requirement: 'conventions.json',
      level: 'must',
      title: 'sends a JSON media type as Content-Type',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const { answer, id } = await plain(t, resolved)
        if (id === undefined) t.untested(`no migration was started (${answer.status})`)
        t.expect(answer).header('content-type', jsonMediaType)
      },
    }),
    ...migrationChecks({
      id,
      needs,
      read: async (t, resolved) => {
        await plain(t, resolved)
        const { accepted } = await startsOf(t)
        return accepted.filter(({ body }) => !('exclude' in body)).map(({ answer }) => bodyOf(answer))
      },
      schedule: 'afterwards',
    }),
    check({
      id: `${id}.pending`,
      requirement: 'migrations.start.pending',
      level: 'must',
      title: 'starts a migration in the state pending',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const states = membersOf(served(await plain(t, resolved)), 'state')
        t.expectAll(states, 'state').satisfy('pending', (state) => state === 'pending')
      },
    }),
    check({
      id: `${id}.owner`,
      requirement: 'migrations.start.owner',
      level: 'must',
      title: 'returns the caller as the owner of the migration',
      needs: { ...needs, login: loginOf('owner') },
      writes: true,
      run: async (t, { login, ...resolved }) => {
        const logins = membersOf(membersOf(served(await plain(t, resolved)), 'owner'), 'login')
        t.expectAll(logins, 'owner').satisfy(login, (value) => String(value).toLowerCase() === login.toLowerCase())
      },
    }),
    check({
      id: `${id}.repositories`,
      requirement: 'migrations.start.repositories',
      level: 'must',
      title: 'lists no repository that was not requested',
      needs: twoRepositories,
      writes: true,
      run: async (t, resolved) => {
        for (const started of [await plain(t, resolved), await disposable(t, resolved)]) {
          for (const list of membersOf(served(started), 'repositories')) expectNoStrangers(t, list, started.repositories)
        }
      },
    }),
    check({
      id: `${id}.several-repositories`,
      requirement: 'migrations.start.repositories',
      level: 'must',
      title: 'lists exactly the two requested repositories once they are exported',
      needs: twoRepositories,
      writes: true,
      run: async (t, resolved) => {
        const { owner } = resolved
        const started = await ofTwo(t, resolved)
        for (const list of membersOf(served(started), 'repositories')) expectNoStrangers(t, list, started.repositories)
        const wanted = await exported(t, owner, started)
        const late = bodyOf(await t.send(migrationRequest(owner, wanted)))
        const { found = late } = await listedMigration(t, owner, wanted)
        for (const list of membersOf([late, found], 'repositories')) expectRepositories(t, list, started.repositories)
      },
    }),
    check({
      id: `${id}.metadata-only`,
      requirement: 'migrations.start.org-metadata-only',
      level: 'must',
      title: 'accepts an empty list of repositories with org_metadata_only',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const started = await metadataOnly(t, resolved.owner)
        await expectStarted(t, resolved, started, 'org_metadata_only')
        t.expect(started.answer).status(201)
      },
    }),
    ...withoutRepositories({
      id,
      requirement: 'migrations.start.exclude',
      whole: async (t, resolved) => (await plain(t, resolved)).answer,
      read: async (t, resolved) => {
        const started = await t.shared('migration with exclude', (shared) =>
          start(shared, resolved.owner, [resolved.repository], { exclude: ['repositories'] }),
        )
        await excuseSpam(t, resolved, started)
        return [started.answer]
      },
    }),
    ...echoChecks(id),
    ...refusedBodyChecks(id),
    ...startAccessChecks(id),
    ...removedFieldChecks({
      id,
      endpoint,
      needs,
      fields: [embeddedRemovals.squashTitle],
      also: migratedRepositories,
      read: plain,
    }),
  ],
})

/** The started migration as its 201 shows it; nothing where none came to be. */
function served({ answer, id }: { answer: Parameters<typeof bodyOf>[0]; id: number | undefined }) {
  return id === undefined ? [] : [bodyOf(answer)]
}
