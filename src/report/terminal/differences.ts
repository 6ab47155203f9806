import type { Difference } from '../../record/run-record.ts'
import { printable } from '../../text/format.ts'

/** Differences that the terminal prints; the page has them all. */
const namedAtMost = 10

/** The differences between the versions: the number of listed changes that were seen, and those that no change lists. */
export function renderDifferences(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return []
  const seen = new Set(differences.flatMap(({ change }) => change ?? []))
  const unlisted = differences.filter(({ change }) => change === undefined)
  const left = unlisted.length - namedAtMost
  return [
    '',
    `differences between the versions: ${seen.size} of the 21 documented changes were seen; ${unlisted.length === 0 ? 'nothing else differs' : `${unlisted.length} more that no change lists:`}`,
    ...unlisted.slice(0, namedAtMost).map((difference) => `  ${differenceText(difference)}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ]
}

function differenceText({ endpoint, at, kind, older, newer }: Difference): string {
  return printable(`${endpoint} ${at}: ${kind}, ${older || 'absent'} → ${newer || 'absent'}`)
}
