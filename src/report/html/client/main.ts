import { reportParts } from '../../../record/report-parts.ts'
import { erroredCauses, untestedCauses } from '../../view/causes.ts'
import type { PageData } from '../page.ts'
import { CheckList } from './checks.ts'
import { deviationSection } from './deviations.ts'
import { h, open, spaced } from './dom.ts'
import { listenToKeys } from './keys.ts'
import { overview } from './overview.ts'
import { permissionSection } from './permissions.ts'
import * as sections from './sections.ts'

/** Deviations that paper shows with their evidence. */
const printedOpen = 12

const bytes = Uint8Array.from(atob(document.getElementById('data')?.textContent ?? ''), (letter) => letter.charCodeAt(0))
const unpacked = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
void unpacked.json().then(draw)

function draw(data: PageData): void {
  const { records } = data
  const { run } = records
  const parts = reportParts(records)
  const checks = new CheckList(parts)
  const drawn = [
    deviationSection(parts, data),
    permissionSection(parts),
    checks.element,
    ...(run.crossVersion.differences.length > 0 ? [sections.differenceSection(run)] : []),
    sections.causeSection('untested', 'Untested', untestedCauses(parts)),
    sections.causeSection('errored', 'Without a verdict', erroredCauses(parts)),
    sections.requirementSection(parts, data),
    sections.observationSection(parts),
    sections.waiverSection(run),
    sections.leftSection(run),
  ].filter(({ childElementCount }) => childElementCount > 1)
  const links = drawn.map(({ id, firstElementChild }) => h('a', { href: `#${id}` }, firstElementChild?.textContent ?? ''))
  const nav = h('nav', { 'aria-label': 'Parts' }, ...spaced(links), listenToKeys())
  document.body.append(overview(records), nav, h('main', {}, ...drawn))
  addEventListener('hashchange', () => follow(checks))
  addEventListener('beforeprint', () => {
    for (const block of [...document.querySelectorAll('#deviations :is(.cause, .check)')].slice(0, printedOpen)) open(block)
  })
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href^="#"]') : null
    // A link to the current address leads there again.
    if (link?.getAttribute('href') === location.hash) follow(checks)
  })
  follow(checks)
  document.documentElement.dataset.ready = 'yes'
}

function follow(checks: CheckList): void {
  const hash = decoded(location.hash.slice(1))
  if (hash.startsWith('?')) checks.recall(hash.slice(1))
  else if (!document.getElementById(hash)) checks.reveal(hash)
  const target = document.getElementById(hash)
  for (const element of [target?.closest('.cause'), target]) open(element)
  target?.scrollIntoView()
  target?.querySelector('summary')?.focus({ preventScroll: true })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
