import { outcomes } from '../../../record/outcome.ts'
import { groupBy } from '../../../text/group.ts'
import type { CheckModel, JudgementModel, RunModel } from '../page-model.ts'
import { metaLine } from './deviations.ts'
import { badge, counted, disclosure, h, spaced, tally, urgency } from './dom.ts'
import { exchangeButton } from './exchanges.ts'

/** Matching checks up to which a filter opens their endpoints. */
const openedAtMost = 300

/** An endpoint of an area with its checks. */
interface Place {
  readonly area: string
  readonly checks: readonly CheckModel[]
  readonly element: HTMLDetailsElement
}

/** All checks by area and endpoint, with filters. The checks of an endpoint are drawn when it opens. */
export class CheckList {
  readonly element: HTMLElement
  readonly #run: RunModel
  readonly #deviating: ReadonlySet<string>
  readonly #form: HTMLFormElement
  readonly #shown = h('p', { id: 'shown', role: 'status' })
  readonly #places: readonly Place[]
  readonly #words: ReadonlyMap<CheckModel, string>

  constructor(run: RunModel) {
    this.#run = run
    this.#deviating = new Set(run.deviations.flatMap(({ check }) => run.checks[check]?.id ?? []))
    this.#words = new Map(run.checks.map((check) => [check, wordsOf(check)]))
    this.#form = filterForm(run)
    this.#places = this.#placesOf(run.checks)
    const areas = run.areas.map(({ area }) => {
      const places = this.#places.filter((place) => place.area === area).map(({ element }) => element)
      return h('section', { class: 'area', id: `area-${area}` }, h('h3', {}, area), ...places)
    })
    this.element = h('section', { id: 'checks', class: 'part' }, h('h2', {}, 'All checks'), this.#form, this.#shown, ...areas)
    this.#form.addEventListener('input', () => this.#changed())
    this.#form.addEventListener('reset', () => setTimeout(() => this.#changed()))
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    this.apply()
  }

  /** Shows the checks that match the filters. */
  apply(): void {
    const found = new Set(this.#run.checks.filter((check) => this.#matches(check)))
    const isFiltered = this.#state().size > 0
    for (const { checks, element } of this.#places) {
      const own = checks.some((check) => found.has(check))
      element.hidden = !own
      element.querySelector('.rows')?.remove()
      element.open = isFiltered && own && found.size <= openedAtMost
      if (element.open) this.#draw(element, checks)
    }
    for (const area of this.element.querySelectorAll<HTMLElement>('.area')) {
      area.hidden = area.querySelector('.endpoint:not([hidden])') === null
    }
    const all = counted(this.#run.checks.length, 'check')
    this.#shown.textContent = isFiltered ? `${found.size} of ${all}` : all
  }

  /** Applies the filters of a link: `outcome=failed&area=events`. */
  recall(filters: string): void {
    const state = new URLSearchParams(filters)
    for (const field of this.#form.elements) {
      if (field instanceof HTMLInputElement && field.type === 'checkbox') {
        field.checked = state.getAll(field.name).includes(field.value)
      } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
        field.value = state.get(field.name) ?? ''
      }
    }
    this.apply()
    this.element.scrollIntoView()
  }

  /** Draws the endpoint of a check, without filters; false where there is no such check. */
  reveal(id: string): boolean {
    const place = this.#places.find(({ checks }) => checks.some((check) => check.id === id))
    if (!place) return false
    if (this.#state().size > 0) {
      this.#form.reset()
      this.apply()
    }
    place.element.open = true
    this.#draw(place.element, place.checks)
    return true
  }

  #placesOf(checks: readonly CheckModel[]): Place[] {
    const groups = groupBy(checks, ({ area, endpoint }) => `${area} ${endpoint}`)
    return [...groups.values()].flatMap((own) => {
      const [first] = own
      if (!first) return []
      const element = h('details', { class: 'endpoint' }, h('summary', {}, h('code', {}, first.endpoint), ' ', ...tallies(own)))
      element.addEventListener('toggle', () => element.open && this.#draw(element, own))
      return [{ area: first.area, checks: own, element }]
    })
  }

  #draw(element: HTMLElement, checks: readonly CheckModel[]): void {
    if (element.querySelector('.rows')) return
    const rows = checks.filter((check) => this.#matches(check)).map((check) => this.#row(check))
    element.append(h('div', { class: 'rows' }, ...rows))
  }

  #row(check: CheckModel): HTMLElement {
    const { id, title, judgements } = check
    const parts = this.#run.parts
    const badges = judgements.flatMap((judged, part) => (judged ? [badge(judged.outcome, parts[part]?.name)] : []))
    const outcomesOf = h('span', { class: 'outcomes' }, ...spaced(badges))
    if (this.#deviating.has(id)) {
      return h('p', { class: 'check row', 'data-id': id }, h('a', { href: `#${id}`, class: 'title' }, title), ' ', outcomesOf)
    }
    const summary = [h('span', { class: 'title' }, title), ' ', outcomesOf]
    return disclosure({ class: 'check', id, 'data-id': id }, summary, () => this.#content(check))
  }

  #content({ id, level, section, requirements, judgements }: CheckModel): HTMLElement[] {
    const blocks = judgements.flatMap((judged, part) => (judged ? [this.#judgement(judged, part)] : []))
    return [metaLine(id, [level, section, ...requirements]), ...blocks]
  }

  #judgement({ outcome, subjects, durationMs, detail, flaky, exchanges }: JudgementModel, part: number): HTMLElement {
    const name = this.#run.parts[part]?.name ?? ''
    const passed = `Passed on ${counted(subjects, 'subject')} in ${durationMs} ms.`
    const heading = h('h3', {}, `${name}: ${outcome}${flaky ? ' (flaky)' : ''}`)
    const text = h('p', {}, outcome === 'passed' ? passed : detail)
    return h('div', { class: 'judged' }, heading, text, ...exchangeButton(exchanges, this.#run.exchanges[part] ?? {}, name))
  }

  /** The filters that are set, as they stand in the address of the page. */
  #state(): URLSearchParams {
    const entries = [...new FormData(this.#form)].map(([name, value]) => [name, String(value).trim()])
    return new URLSearchParams(entries.filter(([, value]) => value !== ''))
  }

  #matches(check: CheckModel): boolean {
    const state = this.#state()
    const [area, level, chosen] = [state.get('area'), state.get('level'), state.getAll('outcome')]
    const words = (state.get('text') ?? '').toLowerCase().split(/\s+/)
    return (
      (area === null || area === check.area) &&
      (level === null || level === check.level) &&
      (chosen.length === 0 || check.judgements.some((judged) => judged && chosen.includes(judged.outcome))) &&
      words.every((word) => this.#words.get(check)?.includes(word))
    )
  }

  #changed(): void {
    this.apply()
    const state = this.#state()
    history.replaceState(null, '', state.size === 0 ? '#checks' : `#?${state}`)
  }
}

/** The words that the text filter searches. */
function wordsOf({ id, title, endpoint, judgements }: CheckModel): string {
  return [id, title, endpoint, ...judgements.map((judged) => judged?.outcome ?? '')].join(' ').toLowerCase()
}

function tallies(checks: readonly CheckModel[]): (Node | string)[] {
  const all = checks.flatMap(({ judgements }) => judgements.flatMap((judged) => judged?.outcome ?? []))
  const counts = urgency.map((outcome) => ({ outcome, count: all.filter((one) => one === outcome).length }))
  return spaced(counts.filter(({ count }) => count > 0).map(({ outcome, count }) => tally(outcome, count)))
}

function filterForm({ checks, areas }: RunModel): HTMLFormElement {
  const found = new Set(checks.flatMap(({ judgements }) => judgements.flatMap((judged) => judged?.outcome ?? [])))
  const choice = (name: string, values: readonly string[]) =>
    h('select', { name }, h('option', { value: '' }, 'all'), ...values.map((value) => h('option', {}, value)))
  const boxes = outcomes
    .filter((outcome) => found.has(outcome))
    .map((outcome) =>
      h('label', { class: `badge ${outcome}` }, h('input', { type: 'checkbox', name: 'outcome', value: outcome }), ` ${outcome}`),
    )
  return h(
    'form',
    { id: 'filters', role: 'search' },
    h('label', {}, 'Text ', h('input', { type: 'search', name: 'text', autocomplete: 'off' })),
    h(
      'label',
      {},
      'Area ',
      choice(
        'area',
        areas.map(({ area }) => area),
      ),
    ),
    h('label', {}, 'Level ', choice('level', ['must', 'should'])),
    h('fieldset', {}, h('legend', {}, 'Outcome'), ...boxes),
    h('button', { type: 'reset' }, 'Show all'),
  )
}
