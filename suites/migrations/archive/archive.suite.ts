import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import type { Inspection } from '../archive-reader/inspection.ts'
import { archiveNeeds, contents, deliveries, delivery, plain } from '../common/migration-state.ts'
import { expectAmount, expectKinds, expectReleases, expectWantedFiles, observeContents } from './contents.ts'
import { excludeChecks } from './exclusions.ts'
import { scopeChecks } from './scope.ts'

const endpoint = endpoints.downloadArchive
const archive = operation({ id: 'migrations.archive', endpoint, needs: archiveNeeds, level: 'must', writes: true })
const every = archive.with({ schedule: 'afterwards' })
const should = archive.with({ level: 'should' })
const tarGz = 'migrations.archive.tar-gz'

type Repository = Resolved<typeof archiveNeeds>['repository']

/** The run function of a check of the plain archive, which must be readable. */
function reading(judge: (t: CheckContext, inspection: Inspection, answer: Exchange, repository: Repository) => void) {
  return async (t: CheckContext, resolved: Resolved<typeof archiveNeeds>) => {
    const { inspection, answer } = await contents(t, resolved, await plain(t, resolved))
    judge(t, inspection, answer, resolved.repository)
  }
}

export default archive.suite([
  every.check('readable', 'sends a tar.gz that can be read to its last byte', tarGz, async (t, resolved) => {
    const { inspection: first, delivered: answer } = await delivery(t, resolved, await plain(t, resolved))
    if (!first) return t.untested(`no archive was delivered (${answer.status})`)
    if (first.outcome !== 'readable' && first.outcome !== 'damaged') t.untested(first.reason)
    for (const { inspection, delivered } of await deliveries(t))
      t.expect(delivered).satisfy('a readable tar.gz', inspection?.outcome !== 'damaged', inspection?.reason ?? '')
    observeContents(t, first)
  }),
  should.check(
    'end-marker',
    'sends an archive that ends with the end-of-archive marker of tar',
    reading((t, { marked }, answer) => t.expect(answer).satisfy('blocks of zeros at the end', marked, 'none')),
  ),
  should.check(
    'member-names',
    'includes no archive member with an absolute name or with ..',
    reading((t, { unsafeNames: [unsafe], members }, answer) => {
      const actual = `the member ${JSON.stringify(unsafe)}`
      if (unsafe !== undefined) t.deviation({ expected: 'relative names', actual, exchanges: [answer] })
      t.examined(members)
    }),
  ),
  every.check('json', 'includes only JSON members that can be parsed', async (t, resolved) => {
    const { inspection } = await contents(t, resolved, await plain(t, resolved))
    for (const { inspection: each, delivered } of await deliveries(t)) {
      const [invalid] = each?.invalidJson ?? []
      if (invalid) t.deviation({ expected: `JSON in ${invalid.name}`, actual: invalid.reason, exchanges: [delivered] })
    }
    t.examined(inspection.kinds.size)
  }),
  archive.check(
    'kinds',
    'includes a JSON file for each kind of object in the repository',
    reading((t, inspection, answer, { kinds }) => expectKinds(t, inspection, kinds, answer)),
  ),
  archive.check(
    'attachments',
    'includes the uploaded files in attachments/',
    reading((t, { attachments: { files } }, answer, { attachments }) =>
      expectAmount(t, { of: 'files in attachments/', declared: attachments, found: files }, answer),
    ),
  ),
  archive.check(
    'git-data',
    'includes the Git data in repositories/',
    reading((t, inspection, answer, { gitFiles }) => expectWantedFiles(t, inspection, gitFiles, answer)),
  ),
  archive.check(
    'releases',
    'includes the releases of the repository',
    'migrations.archive.kinds',
    reading((t, inspection, answer, { releases }) => expectReleases(t, inspection, releases, answer)),
  ),
  ...excludeChecks(archive),
  ...scopeChecks(archive),
])
