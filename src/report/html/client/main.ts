import { type ReportLane, reportLanes } from '../../../record/report-lanes.ts'
import { countOutcomes, isBegun } from '../../../record/verdict.ts'
import { erroredCauses, untestedCauses } from '../../view/causes.ts'
import type { PageData } from '../page.ts'
import { checkList } from './checks.ts'
import { deviationSection } from './deviations.ts'
import { h, list, open, spaced, unpacked } from './dom.ts'
import { overview } from './overview.ts'
import { permissionSection } from './permissions.ts'
import * as sections from './sections.ts'

/** The most deviations that are printed with their evidence. */
const printedOpen = 12

const keys = [
  'j, k: the next or the previous deviation',
  'o: open or close it',
  '/: search',
  '?: show or hide these keys',
]

void unpacked().then(draw)

function draw(data: PageData) {
  const { records } = data
  const { run } = records
  const lanes = reportLanes(records).map(withUntested)
  const checks = checkList(lanes)
  const drawn = [
    deviationSection(lanes, data),
    permissionSection(lanes),
    sections.causeSection('errored', 'Without a verdict', erroredCauses(lanes)),
    sections.causeSection('untested', 'Untested', untestedCauses(lanes)),
    checks.element,
    ...(run.crossVersion.differences.length > 0 ? [sections.differenceSection(run, data)] : []),
    sections.requirementSection(lanes, data),
    sections.observationSection(lanes),
    sections.waitSection(lanes),
    sections.waiverSection(run),
    sections.leftSection(run),
  ].filter(({ childElementCount }) => childElementCount > 1)
  const links = drawn.map(({ id, firstElementChild }) =>
    h('a', { href: `#${id}` }, firstElementChild?.textContent ?? ''),
  )
  const nav = h('nav', { 'aria-label': 'Parts' }, ...spaced(links), listenToKeys())
  document.body.append(overview(records, lanes), nav, h('main', {}, ...drawn))
  addEventListener('hashchange', () => follow(checks))
  addEventListener('beforeprint', () => {
    for (const block of [...document.querySelectorAll('#deviations :is(.cause, .check)')].slice(
      0,
      printedOpen,
    ))
      open(block)
  })
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href^="#"]') : null
    // A link to the current address leads there again.
    if (link?.getAttribute('href') === location.hash) follow(checks)
  })
  // The file may have been replaced meanwhile.
  if (data.isWatched)
    addEventListener('blur', () => addEventListener('focus', () => location.reload()))
  follow(checks)
  document.documentElement.dataset.ready = 'yes'
}

/** A lane in which the checks that an interrupted run did not begin are untested: nothing is wrong with them. */
function withUntested({ report, ...lane }: ReportLane) {
  const checks = report.checks.map((one) =>
    isBegun(one) ? one : { ...one, outcome: 'untested' as const },
  )
  return { ...lane, report: { ...report, checks, totals: countOutcomes(checks) } }
}

function follow(checks: ReturnType<typeof checkList>) {
  const hash = location.hash.slice(1)
  if (hash.startsWith('?')) checks.recall(hash.slice(1))
  else if (!document.getElementById(hash)) checks.reveal(hash)
  const target = document.getElementById(hash)
  for (const element of [target?.closest('.cause'), target]) open(element)
  target?.scrollIntoView()
  target?.querySelector('summary')?.focus({ preventScroll: true })
}

/** Steps through the deviations by keys, except while the reader types. Returns the hint at the keys. */
function listenToKeys() {
  const help = h('dialog', { 'aria-label': 'Keys' }, ...list('plain', keys))
  document.body.append(help)
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event
    if (
      ctrlKey ||
      altKey ||
      metaKey ||
      (target instanceof Element && target.closest('input, select'))
    )
      return
    const all = [
      ...document.querySelectorAll<HTMLElement>('#deviations :is(.cause, .check) > summary'),
    ]
    const shown = all.filter((summary) => summary.checkVisibility())
    const at = shown.findLastIndex(({ parentElement }) =>
      parentElement?.contains(document.activeElement),
    )
    if (key === 'j') shown[at + 1]?.focus()
    if (key === 'k') shown[at - 1]?.focus()
    if (key === 'o') shown[Math.max(at, 0)]?.click()
    if (key === '?') help.open ? help.close() : help.showModal()
    if (key === '/') event.preventDefault()
    if (key === '/') document.querySelector<HTMLElement>('#filters input')?.focus()
  })
  return h('span', { class: 'quiet keys' }, 'Press ? for keys')
}
