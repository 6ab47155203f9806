import { archiveKinds } from '../../../src/spec/words/words.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import type { Inspection } from '../archive-reader/tally.ts'
import { together } from '../common/every-migration.ts'
import { contents, deliveries, plainContents } from '../common/migration-state.ts'
import {
  type archiveNeeds,
  flagged,
  type MigrationNeeds,
  metadataOnly,
  withExclude,
} from '../common/started-migrations.ts'

/** A part of an archive: an object kind, or one of its two directories. */
export type Part = string

export const parts: readonly Part[] = [...archiveKinds, 'attachments/', 'repositories/']

/** The parts that a flag excludes from an archive, and the parts that it may exclude; the rest stays (readings E20). */
interface Exclusion {
  readonly flag: string
  readonly out: readonly Part[]
  readonly open: readonly Part[]
}

// The description of the archive's own form, and the entry that says whose Git data this is, are no metadata that a flag must remove.
const describing: readonly Part[] = ['schema', 'repositories']

const exclusions: readonly Exclusion[] = [
  {
    flag: 'exclude_metadata',
    out: archiveKinds.filter((kind) => !describing.includes(kind)),
    open: [...describing, 'attachments/'],
  },
  { flag: 'exclude_git_data', out: ['repositories/'], open: [] },
  { flag: 'exclude_attachments', out: ['attachments', 'attachments/'], open: [] },
  { flag: 'exclude_releases', out: ['releases'], open: [] },
]

/** The number of objects of a kind in an archive. */
export const itemsOf = (inspection: Inspection, kind: string) =>
  inspection.kinds.get(kind)?.items ?? 0

/** The amount of a part in an archive. A folder of empty files contains nothing; beside others an empty file counts (readings E20). */
export function amountOf(inspection: Inspection, part: Part) {
  const folder =
    part === 'attachments/' ? inspection.attachments : part === 'repositories/' && inspection.git
  return folder ? folder.bytes && folder.files : itemsOf(inspection, part)
}

/** The parts that are in an archive. */
export function partsIn(inspection: Inspection, among = parts) {
  return among.filter((part) => amountOf(inspection, part) > 0)
}

/** The parts that are surely in an archive: an envelope around nothing may stay after an exclusion (readings E20). */
function presentAmong(wanted: readonly Part[], inspection: Inspection) {
  return wanted.filter(
    (part) => amountOf(inspection, part) > (inspection.kinds.get(part)?.hollow ?? 0),
  )
}

/** True for a part that the exported repository is known to have. */
function isDeclared(repository: MigrationNeeds['repository'], part: Part) {
  if (part === 'attachments/') return Boolean(repository.attachments)
  if (part === 'repositories/') return Boolean(repository.gitFiles)
  return repository.kinds.includes(part)
}

type Needs = Resolved<typeof archiveNeeds>

const ofOrganizations: readonly Part[] = ['bases', 'organizations', 'projects', 'schema', 'users']

/** Objects that belong to a repository rather than to an organization. */
const ofRepositories = parts.filter((part) => !ofOrganizations.includes(part))

/** The effect of each flag of the body on the archive. */
export function excludeChecks(archive: Operation<typeof archiveNeeds>) {
  const excluded = archive.with({ requirement: 'migrations.archive.exclusions' })
  const every = excluded.with({ schedule: 'afterwards' })
  return [
    ...exclusions.flatMap((exclusion) => [
      omittedCheck(every, exclusion),
      restCheck(excluded, exclusion),
    ]),
    ownerProjectsCheck(excluded),
    excluded.check(
      'exclude-metadata-and-git-data',
      'omits metadata and git data with all their flags',
      { slow: true },
      omittedTogether(together.metadataAndGitData),
    ),
    excluded.check(
      'exclude-several',
      'omits git data, attachments, releases and owner projects with all their flags',
      { slow: true },
      omittedTogether(together.allButMetadata),
    ),
    restCheck(excluded, { flag: 'exclude_owner_projects', out: [], open: ['projects'] }),
    archive.check(
      'org-metadata-only',
      'omits repository data with org_metadata_only',
      { requirement: 'migrations.archive.org-metadata-only', slow: true },
      async (t, resolved) => {
        const { inspection, response } = await contents(
          t,
          resolved,
          await metadataOnly(t, resolved.owner),
        )
        const present = presentAmong(ofRepositories, inspection)
        t.expect(response).satisfy('no repository data', present.length === 0, present.join(', '))
      },
    ),
  ]
}

function omittedCheck(archive: Operation<typeof archiveNeeds>, { flag, out }: Exclusion) {
  return archive.check(
    flag.replaceAll('_', '-'),
    `omits the data that ${flag} names`,
    async (t, resolved) => {
      const { whole, reduced } = await both(t, resolved, flag)
      if (partsIn(whole, out).length === 0)
        t.untested(`the repository has no data that ${flag} could exclude`, 'exportable-repository')
      for (const { started, inspection, delivered } of await deliveries(t)) {
        const body = started.response.request.body ?? ''
        // It is without effect beside org_metadata_only.
        if (
          !inspection ||
          !body.includes(`"${flag}":true`) ||
          body.includes('"org_metadata_only":true')
        )
          continue
        const present = presentAmong(out, inspection)
        t.expect(delivered, reduced.response).satisfy(
          `no ${out.join(', ')}`,
          present.length === 0,
          present.join(', '),
        )
      }
    },
  )
}

function restCheck(archive: Operation<typeof archiveNeeds>, { flag, out, open }: Exclusion) {
  return archive.check(
    `${flag.replaceAll('_', '-')}-rest`,
    `keeps all other data with ${flag}`,
    async (t, resolved) => {
      const { whole, reduced } = await both(t, resolved, flag)
      const touched = [...out, ...open]
      const stays = partsIn(whole).filter(
        (part) => isDeclared(resolved.repository, part) && !touched.includes(part),
      )
      const lost = stays.filter((part) => amountOf(reduced.inspection, part) === 0)
      if (lost.length > 0)
        t.expect(reduced.response).satisfy(stays.join(', '), false, `no ${lost.join(', ')}`)
      const fewer = (part: Part) => amountOf(reduced.inspection, part) < amountOf(whole, part)
      const removed = touched.some(
        (part) => fewer(part) || presentAmong([part], reduced.inspection).length === 0,
      )
      if (!removed)
        t.untested(
          `the archives with and without ${flag} do not differ, so the flag cannot have removed other data`,
        )
      t.examined(stays.length)
    },
  )
}

/** Projects may also belong to the repository; the projects of the owner must be declared. */
function ownerProjectsCheck(archive: Operation<typeof archiveNeeds>) {
  return archive.check(
    'exclude-owner-projects',
    'omits the projects of the owner with exclude_owner_projects',
    async (t, resolved) => {
      const { ownerProjects } = resolved.repository
      if (!ownerProjects)
        return t.untested(
          'exportable-repository declares no ownerProjects',
          'exportable-repository',
        )
      const { whole, reduced } = await both(t, resolved, 'exclude_owner_projects')
      const before = itemsOf(whole, 'projects')
      if (before === 0)
        t.untested(
          'the archive contains no projects even without the flag',
          'exportable-repository',
        )
      const most = ownerProjects === true ? 0 : Math.max(0, before - ownerProjects)
      const left =
        presentAmong(['projects'], reduced.inspection).length &&
        itemsOf(reduced.inspection, 'projects')
      t.expect(reduced.response).satisfy(
        `at most ${most} projects`,
        left <= most,
        `${left} projects`,
      )
    },
  )
}

/** The archive without flags and the one with this flag. */
async function both(t: CheckContext, resolved: Needs, flag: string) {
  // `exclude` concerns the response alone.
  const further = flag === 'exclude_owner_projects' ? await withExclude(t, resolved) : undefined
  const started = further?.id ? further : await flagged(t, resolved, flag)
  const { inspection: whole } = await plainContents(t, resolved)
  return { whole, reduced: await contents(t, resolved, started) }
}

/** Flags that are set together each have the effect that they have alone, and no further one. */
function omittedTogether(flags: readonly string[]) {
  return async (t: CheckContext, resolved: Needs) => {
    // It is exported beside the migrations for comparison.
    const all = await flagged(t, resolved, ...flags)
    const compared = await Promise.all(flags.map((flag) => both(t, resolved, flag)))
    const { inspection: whole } = await plainContents(t, resolved)
    const alone = compared.map(({ reduced }) => reduced.inspection)
    const { inspection: reduced, response } = await contents(t, resolved, all)
    const open = exclusions.filter(({ flag }) => flags.includes(flag)).flatMap((each) => each.open)
    const judged = partsIn(whole).filter((part) => !open.includes(part))
    const effects = alone.map((each) =>
      judged.filter((part) => presentAmong([part], each).length === 0),
    )
    // Another check judges a flag that has no effect by itself.
    if (effects.filter(({ length }) => length > 0).length < 2)
      t.untested('fewer than two of the flags exclude something alone')
    const out = judged.filter((part) => effects.flat().includes(part))
    const stays = judged.filter(
      (part) => isDeclared(resolved.repository, part) && !out.includes(part),
    )
    const lost = stays.filter((part) => amountOf(reduced, part) === 0).map((part) => `no ${part}`)
    const actual = [...presentAmong(out, reduced), ...lost].join(', ')
    t.expect(response).satisfy(
      `none of ${out.join(', ')}, and all of ${stays.join(', ')}`,
      actual === '',
      actual,
    )
  }
}
