import type { Outcome } from '../../../record/reason.ts'
import {
  type Claim,
  groupsOf,
  type Matrix,
  type MatrixGroup,
  totalsOf,
} from '../../comparison/matrix.ts'
import { type Child, code, h } from '../../html/client/dom.ts'
import { bar } from './bar.ts'
import { type Drawn, evidenceRow } from './evidence.ts'

/** The rows of some claims: their areas, which unfold to endpoints, claims and evidence. */
export function groupRows(drawn: Drawn, claims: readonly Claim[]) {
  return groupsOf(claims, 'area').map((area) =>
    unfolding({
      ...{ level: 0, key: area.name, label: area.name },
      cells: groupCells(drawn, area),
      content: () => groupsOf(area.claims, 'endpoint').map((one) => endpointRow(drawn, area, one)),
    }),
  )
}

function endpointRow(drawn: Drawn, area: MatrixGroup, endpoint: MatrixGroup) {
  return unfolding({
    ...{ level: 1, key: `${area.name} ${endpoint.name}`, label: code(endpoint.name) },
    cells: groupCells(drawn, endpoint),
    content: () => endpoint.claims.map((claim) => claimRow(drawn, claim)),
  })
}

function claimRow(drawn: Drawn, claim: Claim) {
  const anchor = anchorOf(drawn.matrix, claim)
  const link = `#${encodeURIComponent(anchor)}`
  const cells = claim.cells.map((cell) =>
    bar(totalsOf([cell]), (outcome) => (deviating.has(outcome) ? link : undefined)),
  )
  return unfolding({
    ...{ level: 2, key: anchor, label: claim.title, cells },
    content: () => [evidenceRow(drawn, claim, link)],
  })
}

const deviating = new Set<Outcome>(['failed', 'warned', 'waived', 'errored'])

/** The cells of a group. A part of a bar leads to the first claim with this outcome. */
function groupCells({ matrix }: Drawn, { claims, cells }: MatrixGroup) {
  return cells.map((totals, column) =>
    bar(totals, (outcome) => {
      if (!deviating.has(outcome)) return undefined
      const first = claims.find((claim) =>
        Object.values(claim.cells[column] ?? {}).includes(outcome),
      )
      return first && `#${encodeURIComponent(anchorOf(matrix, first))}`
    }),
  )
}

/** The name of a claim in the address of the page. */
export function anchorOf({ by }: Pick<Matrix, 'by'>, { id, endpoint }: Claim) {
  return by === 'check' ? id : `${id} ${endpoint}`
}

interface Unfolding {
  /** 0 for an area, 1 for an endpoint, 2 for a claim. Rows of a higher level follow when it is open. */
  readonly level: number
  readonly key: string
  readonly label: Child
  readonly cells: readonly (readonly Child[])[]
  readonly content: () => readonly HTMLElement[]
}

function unfolding({ level, key, label, cells, content }: Unfolding) {
  const button = h('button', { type: 'button', 'aria-expanded': 'false' }, label)
  const head = h('th', { scope: 'row' }, button)
  const attributes = { 'data-level': String(level), 'data-key': key }
  const row = h('tr', attributes, head, ...cells.map((cell) => h('td', {}, ...cell)))
  button.addEventListener('click', () => {
    const isOpen = isUnfolded(row)
    button.setAttribute('aria-expanded', String(!isOpen))
    if (!isOpen) return row.after(...content())
    for (let next = below(row); next !== null; next = below(row)) next.remove()
  })
  return row
}

/** The next row if it belongs to this one. */
function below(row: HTMLElement) {
  const next = row.nextElementSibling as HTMLElement | null
  return next !== null && Number(next.dataset.level) > Number(row.dataset.level) ? next : null
}

const isUnfolded = (row: Element) => row.querySelector('[aria-expanded="true"]') !== null

/** Unfolds the row with a key, which must be drawn. */
export function openRow(body: HTMLElement, key: string) {
  const row = body.querySelector(`[data-key="${CSS.escape(key)}"]`)
  if (row && !isUnfolded(row)) row.querySelector('button')?.click()
  return row
}

/** Unfolds all areas and their endpoints. */
export function openRows(body: HTMLElement) {
  for (const level of [0, 1])
    for (const button of body.querySelectorAll<HTMLElement>(
      `[data-level="${level}"] > th > button`,
    ))
      button.click()
}
