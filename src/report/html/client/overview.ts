import { outcomes } from '../../../record/outcome.ts'
import type { PageModel, PartModel, RunModel, VerdictModel } from '../page-model.ts'
import { badge, type Child, disclosure, h, spaced, tally } from './dom.ts'
import { tableOf } from './tables.ts'

/** The first screen: the target, the verdicts with their coverage, and the outcomes by area. */
export function overview({ heading, facts, alerts, run }: PageModel): HTMLElement {
  return h(
    'header',
    {},
    h('p', { class: 'suite' }, facts),
    h('h1', {}, `${heading} `, ...(run ? [verdict(run.verdict)] : [])),
    ...(run ? [coverage('coverage', run.verdict)] : []),
    ...alerts.map((text) => h('p', { class: 'banner', role: 'alert' }, text)),
    ...(run ? runFacts(run) : []),
  )
}

function runFacts(run: RunModel): Child[] {
  const result = run.verdict.style === 'thin' ? 'inconclusive' : run.gate.result
  const gate = h('strong', { class: `gate-${result}` }, run.gate.result)
  return [
    h('p', {}, 'Gate ', gate, run.gate.strict ? ', warnings count as failures.' : '.'),
    ...list(run.notes),
    ...means(run),
    h('div', { class: 'parts' }, ...run.parts.map(card)),
    areaTable(run),
  ]
}

function verdict({ verdict: text, style }: VerdictModel): HTMLElement {
  return h('span', { class: `verdict ${style}` }, text)
}

/** The coverage in words and as a bar. */
function coverage(name: string, { coverage: text, share }: VerdictModel): HTMLElement {
  const bar = h('span')
  bar.style.width = `${share}%`
  // No line break before the percent sign.
  return h('p', { class: name }, text.replaceAll(' %', '\u00a0%'), h('span', { class: 'meter', 'aria-hidden': 'true' }, bar))
}

function list(lines: readonly string[]): Child[] {
  return lines.length === 0 ? [] : [h('ul', { class: 'notes' }, ...lines.map((line) => h('li', {}, line)))]
}

function means({ means: about }: RunModel): Child[] {
  if (!about) return []
  if (about.tokens.rows.length === 0) return [h('p', { class: 'quiet' }, `${about.summary}.`)]
  return [disclosure({ class: 'means' }, [about.summary], () => [tableOf(about.tokens, [])])]
}

function card(part: PartModel): HTMLElement {
  const counts = outcomes.filter((outcome) => part.totals[outcome] > 0)
  return h(
    'article',
    { class: 'part-card' },
    h('h2', {}, `${part.name} `, verdict(part)),
    coverage('share', part),
    h(
      'ul',
      { class: 'counts' },
      ...counts.map((outcome) => h('li', {}, badge(outcome, part.totals[outcome].toLocaleString('en')))),
    ),
    h('p', { class: 'quiet' }, part.traffic),
    ...list(part.warnings),
  )
}

function areaTable({ parts, areas }: RunModel): HTMLElement {
  const head = ['Area', ...parts.map(({ name }) => name)].map((name) => h('th', { scope: 'col' }, name))
  const rows = areas.map(({ area, totals }) => {
    const cells = totals.map((of) => {
      const shown = outcomes.filter((outcome) => of[outcome] > 0 && outcome !== 'inapplicable')
      return h('td', {}, ...spaced(shown.map((outcome) => tally(outcome, of[outcome]))))
    })
    return h('tr', {}, h('th', { scope: 'row' }, h('a', { href: `#area-${area}` }, area)), ...cells)
  })
  const table = h(
    'table',
    {},
    h('caption', {}, 'Outcomes by area'),
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...rows),
  )
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Outcomes by area' }, table)
}
