import type { PageModel } from '../page-model.ts'
import { CheckList } from './checks.ts'
import { deviationSection } from './deviations.ts'
import { h, spaced } from './dom.ts'
import { overview } from './overview.ts'
import { permissionSection } from './permissions.ts'
import { sectionOf } from './tables.ts'

const model: PageModel = JSON.parse(document.getElementById('model')?.textContent ?? '{}')
const { run } = model
const checks = run ? new CheckList(run) : undefined
const sections = [
  run && deviationSection(run),
  checks?.element,
  run && permissionSection(run),
  ...model.sections.map((section) => sectionOf(section, run?.checks ?? [])),
].filter((section) => section !== undefined)
const links = sections.map((section) => h('a', { href: `#${section.id}` }, section.querySelector('h2')?.textContent ?? ''))

document.body.append(overview(model), h('nav', { 'aria-label': 'Parts' }, ...spaced(links)), h('main', {}, ...sections))
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null
  // A link to the current address must lead there again.
  if (link?.getAttribute('href') === location.hash) follow()
})
addEventListener('hashchange', follow)
document.documentElement.dataset.ready = 'yes'
follow()

/** Leads to the check or the filters in the address of the page. */
function follow(): void {
  const hash = decoded(location.hash.slice(1))
  if (hash.startsWith('?')) checks?.recall(hash.slice(1))
  else if (document.getElementById(hash) || checks?.reveal(hash)) show(document.getElementById(hash))
}

function show(target: HTMLElement | null): void {
  if (target instanceof HTMLDetailsElement) target.open = true
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
