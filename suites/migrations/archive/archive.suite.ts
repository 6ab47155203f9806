import { endpoints } from '../../../src/spec/endpoints.ts'
import { archiveKinds } from '../../../src/spec/words/words.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { emptyText } from '../archive-reader/json-check.ts'
import type { Inspection } from '../archive-reader/tally.ts'
import { guarded, unlocking } from '../common/lock-state.ts'
import { contents, deliveries, plainContents, plainDelivery } from '../common/migration-state.ts'
import { allFlags, expectStarted, setTo, startMigration } from '../common/start-request.ts'
import {
  archiveNeeds,
  disposable,
  metadataOnly,
  ofTwo,
  onMigrations,
  twoRepositories,
} from '../common/started-migrations.ts'
import { amountOf, excludeChecks, itemsOf, type Part, parts, partsIn } from './exclusions.ts'

const endpoint = endpoints.downloadArchive
const archive = onMigrations('archive', endpoint, archiveNeeds)
const every = archive.with({ schedule: 'afterwards' })
const should = archive.with({ level: 'should' })
const tarGz = 'migrations.archive.tar-gz'

type Repository = Resolved<typeof archiveNeeds>['repository']

/** The run function of a check of the plain archive, which must be readable. */
function reading(judge: (t: CheckContext, archive: Contents, repository: Repository) => void) {
  return async (t: CheckContext, resolved: Resolved<typeof archiveNeeds>) =>
    judge(t, await plainContents(t, resolved), resolved.repository)
}

export default archive.suite([
  every.check(
    'readable',
    'sends a tar.gz that can be read to its last byte',
    tarGz,
    async (t, resolved) => {
      const { inspection: first, delivered: response } = await plainDelivery(t, resolved)
      if (!first) return t.untested(`no archive was delivered (${response.status})`)
      if (first.outcome !== 'readable' && first.outcome !== 'damaged') t.untested(first.reason)
      for (const { inspection, delivered } of await deliveries(t))
        t.expect(delivered).satisfy(
          'a readable tar.gz',
          inspection?.outcome !== 'damaged',
          inspection?.reason ?? '',
        )
      observeOddities(t, first)
    },
  ),
  should.check(
    'end-marker',
    'sends an archive that ends with the end-of-archive marker of tar',
    reading((t, { inspection, response }) =>
      t.expect(response).satisfy('blocks of zeros at the end', inspection.marked, 'none'),
    ),
  ),
  should.check(
    'member-names',
    'includes no archive member with an absolute name or with ..',
    reading((t, { inspection, response }) => {
      const [unsafe] = inspection.unsafeNames
      if (unsafe !== undefined)
        t.deviation({
          expected: 'relative names',
          actual: `the member ${JSON.stringify(unsafe)}`,
          exchanges: [response],
        })
      t.examined(inspection.members)
    }),
  ),
  every.check('json', 'includes only JSON members that can be parsed', async (t, resolved) => {
    const { inspection } = await plainContents(t, resolved)
    for (const { started, inspection: each, delivered } of await deliveries(t)) {
      // An empty file may remain of data that a flag excludes (readings E20).
      const isReduced = /:true/.test(started.response.request.body ?? '')
      const invalid = each?.invalidJson.find(({ reason }) => !isReduced || reason !== emptyText)
      if (invalid)
        t.deviation({
          expected: `JSON in ${invalid.name}`,
          actual: invalid.reason,
          exchanges: [delivered],
        })
    }
    t.examined(inspection.kinds.size)
  }),
  archive.check(
    'kinds',
    'includes a JSON file for each kind of object in the repository',
    reading((t, { inspection, response }, { kinds: declared }) => {
      // Kinds that the document does not name are passed over.
      const wanted = archiveKinds.filter((kind) => declared.includes(kind))
      if (wanted.length === 0)
        t.untested(
          'exportable-repository declares no documented object kind',
          'exportable-repository',
        )
      const missing = wanted.filter((kind) => itemsOf(inspection, kind) === 0)
      t.expect(response).satisfy(
        `JSON objects of ${wanted.join(', ')}`,
        missing.length === 0,
        `no objects of ${missing.join(', ')}`,
      )
    }),
  ),
  archive.check(
    'attachments',
    'includes the uploaded files in attachments/',
    reading((t, archive, { attachments }) => expectAmount(t, archive, 'attachments/', attachments)),
  ),
  archive.check(
    'git-data',
    'includes the Git data in repositories/',
    reading((t, archive, { gitFiles: declared }) => {
      const { inspection, response } = archive
      // Any, a number of files, or files with certain endings of their names.
      const names = Array.isArray(declared) ? (declared as string[]) : []
      const missing = names.find((name) => !inspection.found.has(name))
      t.expect(response).satisfy(
        `a file in repositories/ that ends with ${missing}`,
        missing === undefined,
        `${inspection.git.files} other files`,
      )
      const amount = names.length > 0 ? 1 : (declared as boolean | number | undefined)
      expectAmount(t, archive, 'repositories/', amount)
    }),
  ),
  archive.check(
    'releases',
    'includes the releases of the repository',
    'migrations.archive.kinds',
    reading((t, archive, { releases: declared }) => {
      const { inspection } = archive
      const isCounted = !inspection.kinds.get('releases')?.unchecked
      if (amountOf(inspection, 'releases') < Number(declared) && !isCounted)
        t.untested('the releases in the archive were not counted')
      expectAmount(t, archive, 'releases', declared)
    }),
  ),
  ...excludeChecks(archive),
  archive
    .with({ needs: { ...archiveNeeds, ...twoRepositories }, schedule: 'alone' })
    .check('several-repositories', 'includes the data of each of two repositories', expectBoth),
  archive.check(
    'org-metadata-only-alone',
    'ignores other flags beside org_metadata_only',
    { requirement: 'migrations.archive.org-metadata-only', level: 'should', slow: true },
    expectOthersIgnored,
  ),
])

/** Each repository has an entry, Git data and objects of its own, so that the archive of both contains more than that of either. */
const ofEach: readonly string[] = [
  'repositories',
  'repositories/',
  'issues',
  'milestones',
  'pull_requests',
  'releases',
]

/** A lock, and its end, change the archive in no way. The migration with locks may have a third repository; started anew, it lacks data. */
async function expectBoth(
  t: CheckContext,
  resolved: Resolved<typeof archiveNeeds & typeof twoRepositories>,
) {
  const locked = await unlessUntested(unlocking(t, resolved))
  // Other checks judge the flags of its archive.
  await unlessUntested(guarded(t, resolved).then(({ started }) => contents(t, resolved, started)))
  const ofSecond = await disposable(t, resolved)
  const one = await plainContents(t, resolved)
  const other = await contents(t, resolved, ofSecond)
  for (const started of [
    await ofTwo(t, resolved),
    ...(locked?.firsts.length === 1 ? [locked.started] : []),
  ])
    expectMore(t, await contents(t, resolved, started), one, other)
}

type Contents = Awaited<ReturnType<typeof contents>>

/** The archive of several repositories contains more of each part than those of single ones. */
function expectMore(t: CheckContext, whole: Contents, one: Contents, other: Contents) {
  const bytesOf = ({ inspection }: Contents) => inspection.git.bytes
  for (const part of parts) {
    const [first, second] = [amountOf(one.inspection, part), amountOf(other.inspection, part)]
    if (first === 0 || second === 0) continue
    const isCounted = ofEach.includes(part) && !whole.inspection.kinds.get(part)?.unchecked
    const least = isCounted ? Math.max(first, second) : 0
    const together = amountOf(whole.inspection, part)
    // All Git data may be one file.
    const isMore =
      together > least ||
      (part === 'repositories/' && bytesOf(whole) > Math.max(bytesOf(one), bytesOf(other)))
    t.expect(whole.response).satisfy(
      `${part} of both repositories: more than ${least}`,
      isMore,
      `${together} ${part}`,
    )
  }
}

async function expectOthersIgnored(t: CheckContext, resolved: Resolved<typeof archiveNeeds>) {
  const first = await metadataOnly(t, resolved.owner)
  const started = await startMigration(t, resolved.owner, [], {
    ...setTo(true, allFlags),
    // Without metadata and Git data, nothing would be left to export.
    exclude_git_data: false,
  })
  await expectStarted(t, resolved, started, 'other flags beside org_metadata_only')
  if (started.id === first.id) t.untested('two different migrations were started under one id')
  const alone = await contents(t, resolved, first)
  const beside = await contents(t, resolved, started)
  const [there, now] = [alone, beside].map(({ inspection }) => partsIn(inspection).join(', '))
  if (there) t.expect(beside.response).satisfy(there, now === there, now)
}

/** Observes the unusual but permitted properties of an archive (readings E20). */
function observeOddities(t: CheckContext, inspection: Inspection) {
  for (const oddity of inspection.oddities)
    t.observe('archive members', oddity, 'an archive without such members')
  for (const { name, reason } of inspection.uncheckedJson)
    t.observe('archive JSON that was not checked', `${name}: ${reason}`, 'any size')
}

/** The archive contains at least as much of a part as the need declares (`true` for any amount). */
function expectAmount(
  t: CheckContext,
  { inspection, response }: Contents,
  part: Part,
  declared: boolean | number | undefined,
) {
  const of = part.endsWith('/') ? `files in ${part}` : part
  const found = amountOf(inspection, part)
  if (!declared) t.untested(`exportable-repository declares no ${of}`, 'exportable-repository')
  const wanted = Number(declared)
  t.expect(response).satisfy(`at least ${wanted} ${of}`, found >= wanted, `${found} ${of}`)
}
