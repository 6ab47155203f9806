import { archiveKinds } from '../../../src/spec/words.ts'
import type { Inspection } from '../archive-reader/inspection.ts'
import type { MigrationNeeds } from '../common/migration-state.ts'

/** A part of an archive: an object kind, or one of its two directories. */
export type Part = string

export const parts: readonly Part[] = [...archiveKinds, 'attachments/', 'repositories/']

/** The parts that a flag excludes from an archive, and the parts that it may exclude; the rest stays (readings E20). */
export interface Exclusion {
  readonly flag: string
  readonly out: readonly Part[]
  readonly open: readonly Part[]
}

// The description of the archive's own form, and the entry that says whose Git data this is, are no metadata that a flag must remove.
const describing: readonly Part[] = ['schema', 'repositories']

export const exclusions: readonly Exclusion[] = [
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
export function itemsOf(inspection: Inspection, kind: string): number {
  return inspection.kinds.get(kind)?.items ?? 0
}

/** The amount of a part in an archive. */
export function amountOf(inspection: Inspection, part: Part): number {
  if (part === 'attachments/') return inspection.attachments.files
  return part === 'repositories/' ? inspection.git.files : itemsOf(inspection, part)
}

/** The parts that are surely in an archive: an envelope around nothing may stay after an exclusion (readings E20). */
export function presentAmong(wanted: readonly Part[], inspection: Inspection): Part[] {
  return wanted.filter((part) => amountOf(inspection, part) > (inspection.kinds.get(part)?.hollow ?? 0))
}

/** True for a part that the exported repository is known to have. */
export function isDeclared(repository: MigrationNeeds['repository'], part: Part): boolean {
  if (part === 'attachments/') return Boolean(repository.attachments)
  if (part === 'repositories/') return Boolean(repository.gitFiles)
  return repository.kinds.includes(part)
}
