import { remembered } from '../text/data.ts'
import { readData } from './data-file.ts'
import type { ApiVersion } from './versions.ts'

/** `must`: a deviation is red. `should`: a deviation is a warning, red only under `--strict`. */
export type Level = 'must' | 'should'

/** One normative statement of the document. */
export interface Requirement {
  readonly id: string
  /** The document's section, as its headings nest. */
  readonly section: string
  readonly level: Level
  readonly text: string
  /** The versions to which it applies; both when absent. */
  readonly versions?: readonly ApiVersion[]
  /** Ids of the checks that judge it; `*` is one part of an id. */
  readonly checks?: readonly string[]
  /** The reason why no check can judge it from outside the server. */
  readonly excluded?: string
  /** Ids of the readings that interpret it, as `docs/readings.md` lists them. */
  readonly readings?: readonly string[]
}

const parts = ['1-conventions', '2-events', '3-notifications', '4-migrations', '5-permissions', '6-versioning']
const known = parts.flatMap((part): Requirement[] => readData(`spec/requirements/${part}.yaml`))

/** The requirements of the document, from `src/spec/requirements`, in its order. @internal */
export const documentRequirements: readonly Requirement[] = [...known]

/** The requirements of the document, then those of the configuration's own suites. @internal */
export const requirements: readonly Requirement[] = known

/** Adds a requirement of the configuration's own suites, unless it was added before. Throws if another requirement has its id. @internal */
export function addRequirement(requirement: Requirement): void {
  const same = known.find(({ id }) => id === requirement.id)
  if (same === undefined) known.push(requirement)
  else if (JSON.stringify(same) !== JSON.stringify(requirement))
    throw new Error(`another requirement has the id "${requirement.id}"`)
}

/** True when the `checks` of a requirement or a reading name the check. @internal */
export function judgedBy(requirement: Pick<Requirement, 'checks'>, check: string): boolean {
  return (requirement.checks ?? []).some((glob) => (glob.includes('*') ? patternOf(glob).test(check) : glob === check))
}

const patterns = new Map<string, RegExp>()

function patternOf(glob: string): RegExp {
  return remembered(patterns, glob, () => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '[^.]*')}$`))
}
