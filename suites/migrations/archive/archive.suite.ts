import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check, suite } from '../../../src/suite/check.ts'
import { archiveNeeds, contents, delivery, plain } from '../common/migration-state.ts'
import { expectFiles, expectKinds, expectReleases, expectWantedFiles, observeContents } from './contents.ts'
import { excludeChecks } from './exclusions.ts'
import { scopeChecks } from './scope.ts'

const id = 'migrations.archive'
const common = { needs: archiveNeeds, writes: true } as const

export default suite({
  area: 'migrations',
  endpoint: endpoints.downloadArchive,
  checks: [
    check({
      ...common,
      id: `${id}.readable`,
      requirement: 'migrations.archive.tar-gz',
      level: 'must',
      title: 'sends a tar.gz that can be read to its last byte',
      run: async (t, resolved) => {
        const { inspection, delivered } = await delivery(t, resolved, await plain(t, resolved))
        if (!inspection) return t.untested(`no archive was delivered (${delivered.status})`)
        const { outcome, reason } = inspection
        if (outcome === 'damaged') t.deviation({ expected: 'a readable tar.gz', actual: reason, exchanges: [delivered] })
        if (outcome !== 'readable') t.untested(reason)
        observeContents(t, inspection)
        t.examined(1)
      },
    }),
    check({
      ...common,
      id: `${id}.end-marker`,
      requirement: 'migrations.archive.end-marker',
      level: 'should',
      title: 'sends an archive that ends with the end-of-archive marker of tar',
      run: async (t, resolved) => {
        const { inspection, answer } = await contents(t, resolved, await plain(t, resolved))
        if (!inspection.marked) t.deviation({ expected: 'blocks of zeros at the end', actual: 'none', exchanges: [answer] })
        t.examined(1)
      },
    }),
    check({
      ...common,
      id: `${id}.member-names`,
      requirement: 'migrations.archive.member-names',
      level: 'should',
      title: 'includes no archive member with an absolute name or with ..',
      run: async (t, resolved) => {
        const { inspection, answer } = await contents(t, resolved, await plain(t, resolved))
        const [unsafe] = inspection.unsafeNames
        if (unsafe !== undefined) {
          t.deviation({ expected: 'relative names', actual: `the member ${JSON.stringify(unsafe)}`, exchanges: [answer] })
        }
        t.examined(inspection.members)
      },
    }),
    check({
      ...common,
      id: `${id}.json`,
      requirement: 'migrations.archive.json',
      level: 'must',
      title: 'includes only JSON members that can be parsed',
      run: async (t, resolved) => {
        const { inspection, answer } = await contents(t, resolved, await plain(t, resolved))
        const [invalid] = inspection.invalidJson
        if (invalid) t.deviation({ expected: `JSON in ${invalid.name}`, actual: invalid.reason, exchanges: [answer] })
        t.examined(inspection.kinds.size)
      },
    }),
    check({
      ...common,
      id: `${id}.kinds`,
      requirement: 'migrations.archive.kinds',
      level: 'must',
      title: 'includes a JSON file for each kind of object in the repository',
      run: async (t, resolved) => {
        const { inspection, answer } = await contents(t, resolved, await plain(t, resolved))
        expectKinds(t, inspection, resolved.repository.kinds, answer)
      },
    }),
    check({
      ...common,
      id: `${id}.attachments`,
      requirement: 'migrations.archive.attachments',
      level: 'must',
      title: 'includes the uploaded files in attachments/',
      run: async (t, resolved) => {
        const { inspection, answer } = await contents(t, resolved, await plain(t, resolved))
        expectFiles(t, 'attachments', inspection.attachments, resolved.repository.attachments, answer)
      },
    }),
    check({
      ...common,
      id: `${id}.git-data`,
      requirement: 'migrations.archive.git-data',
      level: 'must',
      title: 'includes the Git data in repositories/',
      run: async (t, resolved) => {
        const { inspection, answer } = await contents(t, resolved, await plain(t, resolved))
        expectWantedFiles(t, inspection, resolved.repository.gitFiles, answer)
      },
    }),
    check({
      ...common,
      id: `${id}.releases`,
      requirement: 'migrations.archive.kinds',
      level: 'must',
      title: 'includes the releases of the repository',
      run: async (t, resolved) => {
        const { inspection, answer } = await contents(t, resolved, await plain(t, resolved))
        expectReleases(t, inspection, resolved.repository.releases, answer)
      },
    }),
    ...(excludeChecks(id) satisfies readonly Check[]),
    ...scopeChecks(id),
  ],
})
