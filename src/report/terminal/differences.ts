import type { Difference } from '../../record/run-record.ts'
import { groupBy } from '../../text/group.ts'
import { printable } from '../../text/show.ts'

/** The differences between the versions on the terminal: what no change lists one by one, the listed ones by change. Plain text, safe for a terminal. */
export function renderDifferences(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return []
  const listed = groupBy(
    differences.filter(({ change }) => change !== undefined),
    ({ change }) => change,
  )
  const unlisted = differences.filter(({ change }) => change === undefined)
  return [
    '',
    `differences between the versions: ${listed.size} of the 21 changes seen, ${unlisted.length} unlisted`,
    ...unlisted.map((difference) => `  unlisted   ${differenceText(difference)}`),
    ...[...listed].map(([change, group]) => `  change ${String(change).padStart(2)}  ${summarise(group)}`),
  ]
}

function differenceText({ endpoint, at, kind, older, newer }: Difference): string {
  return printable(`${endpoint} ${at}: ${kind}, ${older || 'absent'} → ${newer || 'absent'}`)
}

function summarise(group: readonly Difference[]): string {
  const endpoints = [...new Set(group.map(({ endpoint }) => endpoint))]
  const what = [...new Set(group.map(shortly))]
  const shown = what.length > 3 ? `${what.slice(0, 3).join(', ')} and ${what.length - 3} more` : what.join(', ')
  return printable(`${shown}: ${endpoints.length === 1 ? endpoints[0] : `${endpoints.length} endpoints`}`)
}

/** `−rate`, `+field`, or what stood before and after. */
function shortly({ at, kind, older, newer }: Difference): string {
  const name = at.split('/').at(-1) ?? at
  if (kind === 'removed') return `−${name}`
  return kind === 'added' ? `+${name}` : `${name} ${older} → ${newer}`
}
