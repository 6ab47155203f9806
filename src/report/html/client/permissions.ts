import type { ReportLane } from '../../../record/report-lanes.ts'
import { erroredCauses, untestedCauses } from '../../view/causes.ts'
import { limited } from '../../view/markup.ts'
import {
  cellMarks,
  countCells,
  type PermissionMap,
  permissionMaps,
  worstOf,
} from '../../view/permission-map.ts'
import { type Child, h, list, section, spaced } from './dom.ts'

/** Deviating permissions that are listed below a map. */
const listedAtMost = 30

/** The permission maps, except those without a verdict. Lanes with equal maps share one. Without any map, a sentence about the most frequent cause. */
export function permissionSection(lanes: readonly ReportLane[]) {
  const judged = lanes.filter(({ report }) =>
    report.permissions.some(({ cell }) => cell !== 'undecided'),
  )
  const maps = permissionMaps(judged).flatMap(({ names, map }) => mapOf(names, map))
  const causes = [...untestedCauses(lanes), ...erroredCauses(lanes)]
  const cause = causes.find(({ checks }) => checks.some(({ area }) => area === 'permissions'))
  const why =
    maps.length > 0 || !cause
      ? []
      : [h('p', {}, `No grant or refusal was judged: ${cause.phrase}.`)]
  return section('permissions', 'Permissions', ...maps, ...why)
}

/** A legend with counts, a square for each endpoint and token kind, and the deviating ones in words. */
function mapOf(names: string, { columns, categories }: PermissionMap): Child[] {
  const kinds = [...new Set(columns.map(({ kind }) => kind))]
  const blocks = categories.map(({ title, rows }) => {
    const squares = h(
      'div',
      { class: 'squares' },
      ...rows.flatMap((row) => kinds.map((kind) => squareOf(kind, row, columns))),
    )
    squares.style.gridTemplateRows = `repeat(${kinds.length}, auto)`
    return h('div', {}, h('p', {}, title), squares)
  })
  const heat = h(
    'div',
    { class: 'heat', role: 'group', 'aria-label': `Permissions under ${names}` },
    ...blocks,
  )
  const wrong = [...heat.querySelectorAll('.too-permissive, .too-restrictive')].map(
    ({ ariaLabel }) => ariaLabel ?? '',
  )
  const shown = limited(wrong, listedAtMost, (left) => `and ${left} more`)
  const legend = countCells(
    categories.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)),
  ).map(({ state, words }) =>
    h('span', {}, h('span', { class: `square ${state}` }, cellMarks[state]), ` ${words}`),
  )
  const hint = `A column is an endpoint; its squares are, from the top: ${kinds.join(', ')}. Point at one, or use the arrow keys.`
  return [
    h('h3', {}, names),
    h('p', { class: 'legend' }, ...spaced(legend)),
    h('div', {}, heat, wordsFor(heat, hint, kinds.length)),
    ...list('plain wrong', shown),
  ]
}

type Row = PermissionMap['categories'][number]['rows'][number]

/** The square of an endpoint and a token kind, with the worst of its states; an empty one where no check judges it. */
function squareOf(kind: string, { endpoint, cells }: Row, columns: PermissionMap['columns']) {
  const own = columns.flatMap(({ kind: one, level }, index) =>
    one === kind ? { level, state: cells[index] ?? null } : [],
  )
  const state = worstOf(own.map((cell) => cell.state))
  if (state === null) return h('span', { class: 'square' })
  const withLevel = (level: string) =>
    level === 'none' ? 'without the permission' : `with ${level}`
  const words = own.flatMap((cell) =>
    cell.state ? `${cell.state.replace('-', ' ')} ${withLevel(cell.level)}` : [],
  )
  const label = `${endpoint}, ${kind}: ${words.join(', ')}`
  return h(
    'button',
    { type: 'button', class: `square ${state}`, 'aria-label': label, tabindex: '-1' },
    cellMarks[state],
  )
}

/** A line with the words of the square under the pointer, or of the square with the focus, which the arrow keys move. */
function wordsFor(heat: HTMLElement, hint: string, rows: number) {
  const words = h('p', { class: 'words' }, hint)
  const squares = [...heat.querySelectorAll<HTMLElement>('.square')]
  const buttons = squares.filter(({ tagName }) => tagName === 'BUTTON')
  buttons[0]?.setAttribute('tabindex', '0')
  const show = ({ target }: Event) => {
    const shown = buttons.find((one) => one === target)
    if (!shown) return
    for (const one of buttons) one.tabIndex = one === shown ? 0 : -1
    const label = shown.ariaLabel ?? ''
    const href = `#?${new URLSearchParams({ text: label.slice(0, label.indexOf(',')) })}`
    words.replaceChildren(`${label} `, h('a', { href }, 'checks'))
  }
  for (const event of ['pointerover', 'focusin', 'click']) heat.addEventListener(event, show)
  heat.addEventListener('keydown', (event) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      ArrowRight: rows,
      ArrowLeft: -rows,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    let at = squares.indexOf(document.activeElement as HTMLElement) + step
    while (squares[at]?.tagName === 'SPAN') at += step
    squares[at]?.focus()
  })
  return words
}
