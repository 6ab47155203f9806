import { readData } from '../package/data-file.ts'
import { remembered } from '../text/data.ts'
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
  /** The callers, objects, pages and requests on which it is tried; those of one version alone name it in brackets. */
  readonly kinds?: readonly string[]
  /** The versions to which it applies; both when absent. */
  readonly versions?: readonly ApiVersion[]
  /** Ids of the checks that judge it; `*` is one part of an id. */
  readonly checks?: readonly string[]
  /** The reason why no check can judge it from outside the server. */
  readonly excluded?: string
  /** Ids of the readings that interpret it, as `docs/readings.md` lists them. */
  readonly readings?: readonly string[]
}

const parts = [
  '1-conventions',
  '2-events',
  '3-notifications',
  '4-migrations',
  '5-permissions',
  '6-versioning',
]

/** The requirements of the document, from `src/spec/requirements`, in its order. @internal */
export const documentRequirements: readonly Requirement[] = parts.flatMap((part): Requirement[] =>
  readData(`src/spec/requirements/${part}.yaml`),
)

/** True when the `checks` of a requirement or a reading name the check. @internal */
export function judgedBy(requirement: Pick<Requirement, 'checks'>, check: string) {
  return (requirement.checks ?? []).some((glob) =>
    glob.includes('*') ? patternOf(glob).test(check) : glob === check,
  )
}

const patterns = new Map<string, RegExp>()

function patternOf(glob: string) {
  return remembered(
    patterns,
    glob,
    () => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '[^.]*')}$`),
  )
}
