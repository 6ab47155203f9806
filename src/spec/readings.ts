import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package/root.ts'
import { defined } from '../text/data.ts'
import { judgedBy, type Requirement } from './requirements.ts'

/** How the suite judges one place where the document is silent or ambiguous. Every text is one or more whole sentences. */
export interface Reading {
  /** The letter of the chapter and a number, as comments and requirements cite it: `G4`, `B11`. */
  readonly id: string
  /** The section of the document that leaves the question open. */
  readonly section: string
  readonly open: string
  readonly judged: string
  /** The faults that are still caught; absent if the reading only removes an assertion. */
  readonly caught?: string
  /** The only checks that it applies to, with `*` for one part of an id; absent for all checks of its requirements. */
  readonly checks?: readonly string[]
  /** Why no requirement and no code cites it; absent if one does. */
  readonly uncited?: string
}

const labels: readonly string[] = ['Open', 'Judged', 'Caught', 'Only for', 'Not cited']

/** The readings of a page in the form of `docs/readings.md`. Throws if a reading lacks a part or has an unknown label. */
export function parseReadings(page: string): Reading[] {
  return page
    .split(/^### /m)
    .slice(1)
    .map((entry) => readingOf(entry.replaceAll('`', '')))
}

function readingOf(entry: string) {
  const id = /^\S+/.exec(entry)?.[0] ?? ''
  const section = /^\*(.+)\*$/m.exec(entry)?.[1]
  const texts = new Map(
    [...entry.matchAll(/^- \*\*(.+?):\*\* (.+)$/gm)].map(([, label = '', text = '']) => [
      label,
      text,
    ]),
  )
  const [open, judged, caught, checks, uncited] = labels.map((label) => texts.get(label))
  if (!section || !open || !judged)
    throw new Error(`docs/readings.md: ${id} needs a section, "Open" and "Judged"`)
  const unknown = [...texts.keys()].find((label) => !labels.includes(label))
  if (unknown) throw new Error(`docs/readings.md: ${id} has the unknown label "${unknown}"`)
  return defined({ id, section, open, judged, caught, checks: checks?.split(', '), uncited })
}

/** Every reading, in the order of the page. */
export const readings: readonly Reading[] = parseReadings(
  readFileSync(join(packageRoot, 'docs', 'readings.md'), 'utf8'),
)

/** The readings that bear on a check, given its id and those of its requirements, which are among `known`; in the order of the page. */
export function readingsOf(
  check: string,
  requirementIds: readonly string[],
  known: readonly Requirement[],
) {
  const cited = new Set(
    known.filter(({ id }) => requirementIds.includes(id)).flatMap(({ readings: own }) => own ?? []),
  )
  return readings.filter(
    (reading) =>
      cited.has(reading.id) && (reading.checks === undefined || judgedBy(reading, check)),
  )
}
