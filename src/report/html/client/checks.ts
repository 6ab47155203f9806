import type { ReportLane } from '../../../record/report-lanes.ts'
import { countOutcomes } from '../../../record/verdict.ts'
import { groupBy } from '../../../text/data.ts'
import { counted, grouped } from '../../../text/format.ts'
import { type Judgement, judgementsIn, missText, stateOf } from '../../view/findings.ts'
import { judgedAreas } from '../../view/subject.ts'
import { exchangeButton, metaLine, outcomeBadges } from './deviations.ts'
import {
  disclosure,
  filterForm,
  h,
  hasWords,
  open,
  section,
  statedIn,
  tallies,
  urgentFirst,
  wordsField,
} from './dom.ts'

/** The most matching checks for which a filter opens their endpoints. */
const openedAtMost = 300

interface ListedCheck {
  readonly first: Judgement['check']
  readonly judged: readonly Judgement[]
}

/** All checks by area and endpoint, with filters. The checks of an endpoint are drawn when it opens. */
export function checkList(lanes: readonly ReportLane[]) {
  const byId = groupBy(judgementsIn(lanes), ({ check }) => check.id)
  const checks: ListedCheck[] = [...byId.values()].map((judged) => ({
    first: (judged[0] as Judgement).check,
    judged,
  }))
  const form = filterForm(changed, ...fields(lanes))
  const shown = h('p', { id: 'shown', role: 'status' })
  const list = h('div')
  const element = section('checks', 'All checks', form, shown, list)
  draw()
  return { element, recall, reveal }

  /** Sets the filters of a link: `outcome=failed&area=events`. */
  function recall(filters: string) {
    const state = new URLSearchParams(filters)
    for (const field of form.elements) {
      if (field instanceof HTMLInputElement && field.type === 'checkbox') {
        field.checked = state.getAll(field.name).includes(field.value)
      } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
        field.value = state.get(field.name) ?? ''
      }
    }
    draw()
    element.scrollIntoView()
  }

  /** Draws the endpoint of a check. Filters that hide the check are removed. */
  function reveal(id: string) {
    const check = checks.find(({ first }) => first.id === id)
    if (!check) return
    if (!matches(check, statedIn(form))) {
      form.reset()
      draw()
    }
    open(list.querySelector(`[data-place="${CSS.escape(placeOf(check))}"]`))
  }

  function draw() {
    const state = statedIn(form)
    const found = checks.filter((check) => matches(check, state))
    const isOpen = state.size > 0 && found.length <= openedAtMost
    const byArea = groupBy(found, ({ first }) => first.area)
    const sections = [...byArea].map(([area, own]) => {
      const drawn = [...groupBy(own, placeOf)].map(([place, same]) =>
        placeBlock(place, same, isOpen),
      )
      return h('section', { class: 'area', id: `area-${area}` }, h('h3', {}, area), ...drawn)
    })
    list.replaceChildren(...sections)
    const all = counted(checks.length, 'check')
    shown.textContent = state.size > 0 ? `${grouped(found.length)} of ${all}` : all
  }

  function changed() {
    draw()
    const state = statedIn(form)
    history.replaceState(null, '', state.size === 0 ? '#checks' : `#?${state}`)
  }
}

function matches({ first, judged }: ListedCheck, state: URLSearchParams) {
  const area = state.get('area')
  const level = state.get('level')
  const chosen = state.getAll('outcome')
  const outcomesOf = judged.map(({ check }) => check.outcome)
  const text = [first.id, first.title, first.endpoint, ...outcomesOf].join(' ')
  return (
    (area === null || area === first.area) &&
    (level === null || level === first.level) &&
    (chosen.length === 0 || outcomesOf.some((outcome) => chosen.includes(outcome))) &&
    hasWords(text, state)
  )
}

const placeOf = ({ first }: ListedCheck) => `${first.area} ${first.endpoint}`

function placeBlock(place: string, checks: readonly ListedCheck[], isOpen: boolean) {
  const totals = countOutcomes(checks.flatMap(({ judged }) => judged.map(({ check }) => check)))
  const summary = [h('code', {}, checks[0]?.first.endpoint ?? ''), ' ', ...tallies(totals)]
  const attributes = { class: 'endpoint', 'data-place': place, ...(isOpen ? { open: '' } : {}) }
  return disclosure(attributes, summary, () => [h('div', { class: 'rows' }, ...checks.map(row))])
}

/** A row; the evidence of a deviation is in its own section. */
function row({ first, judged }: ListedCheck) {
  const { id } = first
  const badges = outcomeBadges(judged)
  if (judged.some(({ check }) => check.deviation))
    return h(
      'p',
      { class: 'check row', 'data-id': id },
      h('a', { href: `#${id}`, class: 'title' }, first.title),
      ' ',
      badges,
    )
  const summary = [h('span', { class: 'title' }, first.title), ' ', badges]
  return disclosure({ class: 'check', id, 'data-id': id }, summary, () => [
    metaLine(first),
    ...judged.map(judgement),
  ])
}

function judgement({ lane, check }: Judgement) {
  const { outcome, subjects, durationMs, detail, flaky, exchanges } = check
  const file = lane.name === lane.report.apiVersion ? `${lane.folder}/report.json` : 'run.json'
  const passed = `Passed on ${counted(subjects, 'subject')} in ${durationMs} ms. Its exchanges are in ${file}.`
  const state = stateOf({ lane, check })
  const heading = h('h3', {}, `${lane.name}: ${state}${flaky ? ' (flaky)' : ''}`)
  const missed = state === 'suspected' ? `; ${missText({ lane, check })}` : ''
  const said = h('p', {}, outcome === 'passed' ? passed : detail + missed)
  return h('div', { class: 'judged' }, heading, said, ...exchangeButton(exchanges, lane))
}

function fields(lanes: readonly ReportLane[]) {
  const found = new Set(judgementsIn(lanes).map(({ check }) => check.outcome))
  const choice = (name: string, values: readonly string[]) =>
    h(
      'select',
      { name },
      h('option', { value: '' }, 'all'),
      ...values.map((value) => h('option', {}, value)),
    )
  const boxes = urgentFirst
    .filter((outcome) => found.has(outcome))
    .map((value) =>
      h(
        'label',
        { class: `badge ${value}` },
        h('input', { type: 'checkbox', name: 'outcome', value }),
        ` ${value}`,
      ),
    )
  return [
    wordsField(),
    h('label', {}, 'Area ', choice('area', judgedAreas(lanes))),
    h('label', {}, 'Level ', choice('level', ['must', 'should'])),
    h('fieldset', {}, h('legend', {}, 'Outcome'), ...boxes),
  ]
}
