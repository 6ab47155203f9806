import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package/root.ts'
import type { Level } from './level.ts'
import type { ApiVersion } from './versions.ts'

/** One normative statement of the document. */
export interface Requirement {
  readonly id: string
  /** The document's section, as its headings nest. */
  readonly section: string
  readonly level: Level
  readonly text: string
  /** The versions it holds in; both when absent. */
  readonly versions?: readonly ApiVersion[]
  /** Ids of the checks that judge it; `*` stands for one part of an id. */
  readonly checks?: readonly string[]
  /** Why nothing outside the server can judge it. */
  readonly excluded?: string
  /** Ids of the readings that bear on it, as `docs/readings.md` lists them. */
  readonly readings?: readonly string[]
}

/** The files of `src/spec/requirements` as JSON, which every command reads in a hundredth of the time; a test keeps it current. */
const compiled = join(packageRoot, 'src', 'spec', 'requirements.json')

const known: Requirement[] = JSON.parse(readFileSync(compiled, 'utf8'))

/** The requirements of the document, whatever the configuration's own suites add. */
export const documentRequirements: readonly Requirement[] = [...known]

/** Every requirement, from the files in `src/spec/requirements`, in the document's order; then those of the configuration's own suites. */
export const requirements: readonly Requirement[] = known

/** Adds a requirement of the configuration's own suites, once. Throws when another one has its id. */
export function addRequirement(requirement: Requirement): void {
  const same = known.find(({ id }) => id === requirement.id)
  if (same === undefined) known.push(requirement)
  else if (JSON.stringify(same) !== JSON.stringify(requirement))
    throw new Error(`another requirement has the id "${requirement.id}"`)
}

/** True when the `checks` of a requirement or a reading name the check. */
export function judgedBy(requirement: Pick<Requirement, 'checks'>, check: string): boolean {
  return (requirement.checks ?? []).some((glob) => (glob.includes('*') ? patternOf(glob).test(check) : glob === check))
}

const patterns = new Map<string, RegExp>()

function patternOf(glob: string): RegExp {
  const pattern = patterns.get(glob) ?? new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '[^.]*')}$`)
  patterns.set(glob, pattern)
  return pattern
}
