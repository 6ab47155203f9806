/**
 * What `report.html` does when it is open: checks and exchanges that are drawn when asked for, filters, deep links, copying. Plain
 * JavaScript for browsers; text from records only ever becomes a text node.
 */
export const script = String.raw`
'use strict'
const marks = { passed: '✓', failed: '✗', warned: '!', waived: '~', untested: '?', inapplicable: '–', errored: '⚡' }
const form = document.getElementById('filters')
const shown = document.getElementById('shown')
const places = [...document.querySelectorAll('.endpoint')]
const deviating = new Set([...document.querySelectorAll('#deviations .check')].map(({ id }) => id))
const drawnAtMost = 300

function element(name, text, more) {
  const made = Object.assign(document.createElement(name), more ?? {})
  if (text !== undefined) made.textContent = text
  return made
}

async function unpack(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (character) => character.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()
}

let lanes = []
let checks = []
let exchanges
const exchangesOf = async (lane) => (await (exchanges ??= unpack('exchanges')))[lane] ?? {}

function wordsOf(check) {
  const endpoint = places[check.place]?.querySelector('code').textContent ?? ''
  return [check.id, check.title, endpoint, ...check.judgements.map((made) => made?.outcome ?? '')].join(' ').toLowerCase()
}

function chosen() {
  const data = new FormData(form)
  return { text: data.get('text').trim().toLowerCase(), area: data.get('area'), level: data.get('level'), outcomes: data.getAll('outcome') }
}

function isFiltered() {
  const { text, area, level, outcomes } = chosen()
  return text !== '' || area !== '' || level !== '' || outcomes.length > 0
}

function matching() {
  const { text, area, level, outcomes } = chosen()
  return checks.filter((check) => (area === '' || area === check.area) && (level === '' || level === check.level) &&
    (outcomes.length === 0 || check.judgements.some((made) => made && outcomes.includes(made.outcome))) &&
    text.split(/\s+/).every((word) => check.words.includes(word)))
}

function apply() {
  const found = matching()
  const filtered = isFiltered()
  const byPlace = Map.groupBy ? Map.groupBy(found, (check) => check.place) : found.reduce((map, check) => map.set(check.place, [...(map.get(check.place) ?? []), check]), new Map())
  for (const place of places) {
    const own = byPlace.get(Number(place.dataset.place)) ?? []
    place.hidden = own.length === 0
    place.querySelector('.rows')?.remove()
    place.open = filtered && own.length > 0 && found.length <= drawnAtMost
    if (place.open) drawRows(place)
  }
  for (const area of document.querySelectorAll('.area')) area.hidden = !area.querySelector('.endpoint:not([hidden])')
  shown.textContent = filtered ? found.length + ' of ' + checks.length + ' checks' : checks.length + ' checks'
}

function drawRows(place) {
  if (place.querySelector('.rows')) return
  const rows = element('div', undefined, { className: 'rows' })
  rows.append(...matching().filter((check) => String(check.place) === place.dataset.place).map(rowOf))
  place.append(rows)
}

function badgesOf(check) {
  const badges = element('span', undefined, { className: 'outcomes' })
  check.judgements.forEach((made, index) => {
    if (!made) return
    const badge = element('span', undefined, { className: 'badge ' + made.outcome })
    badge.append(marks[made.outcome] + ' ', element('span', lanes[index], { className: 'version' }), ' ' + made.outcome)
    badges.append(badge)
  })
  return badges
}

function rowOf(check) {
  if (deviating.has(check.id)) {
    const row = element('p', undefined, { className: 'check row' })
    row.dataset.id = check.id
    row.append(element('a', check.title, { href: '#' + check.id, className: 'title' }), ' ', badgesOf(check))
    return row
  }
  const row = element('details', undefined, { className: 'check', id: check.id })
  row.dataset.id = check.id
  const summary = element('summary')
  summary.append(element('span', check.title, { className: 'title' }), ' ', badgesOf(check))
  row.append(summary)
  row.addEventListener('toggle', () => { if (row.open && row.childElementCount === 1) row.append(...bodyOf(check)) })
  return row
}

function bodyOf(check) {
  const meta = element('p', undefined, { className: 'meta' })
  meta.append(element('code', check.id), ' · ' + [check.level, check.section, ...check.requirements].join(' · ') + ' · ', element('a', 'link', { href: '#' + check.id }))
  const told = check.judgements.flatMap((made, index) => made ? [judgementOf(made, lanes[index])] : [])
  return [meta, ...told]
}

function judgementOf(made, lane) {
  const block = element('div', undefined, { className: 'judged' })
  const passed = 'Passed on ' + made.subjects + (made.subjects === 1 ? ' subject' : ' subjects') + ' in ' + made.durationMs + ' ms.'
  block.append(element('h3', lane + ': ' + made.outcome + (made.flaky ? ' (flaky)' : '')), element('p', made.outcome === 'passed' ? passed : made.detail ?? ''))
  if (made.exchanges.length === 0) return block
  const lazy = element('p', undefined, { className: 'lazy' })
  Object.assign(lazy.dataset, { lane, exchanges: made.exchanges.join(' ') })
  lazy.append(element('button', 'Show ' + made.exchanges.length + (made.exchanges.length === 1 ? ' exchange' : ' exchanges'), { type: 'button' }))
  block.append(lazy)
  return block
}

function remember() {
  const { text, area, level, outcomes } = chosen()
  const state = new URLSearchParams()
  if (text) state.set('text', text)
  if (area) state.set('area', area)
  if (level) state.set('level', level)
  for (const outcome of outcomes) state.append('outcome', outcome)
  history.replaceState(null, '', state.size === 0 ? '#checks' : '#?' + state)
}

function recall() {
  let hash = ''
  try { hash = decodeURIComponent(location.hash.slice(1)) } catch { return }
  if (hash.startsWith('?')) {
    const state = new URLSearchParams(hash.slice(1))
    for (const name of ['text', 'area', 'level']) form.elements[name].value = state.get(name) ?? ''
    for (const box of form.querySelectorAll('[name=outcome]')) box.checked = state.getAll('outcome').includes(box.value)
    apply()
    document.getElementById('checks').scrollIntoView()
    return
  }
  const check = checks.find(({ id }) => id === hash)
  if (!check) return
  if (!document.getElementById(hash)) {
    if (isFiltered()) { form.reset(); apply() }
    places[check.place].open = true
    drawRows(places[check.place])
  }
  const target = document.getElementById(hash)
  target.open = true
  target.scrollIntoView()
  target.querySelector('summary').focus({ preventScroll: true })
}

function exchangeOf({ request, response, as }) {
  const block = element('details', undefined, { className: 'exchange', open: true })
  const lines = (headers) => headers.map(([name, value]) => name + ': ' + value).join('\n')
  const body = response.body === undefined ? (response.bodyBytes === 0 ? '' : '(body of ' + response.bodyBytes + ' bytes, not kept on this page)')
    : response.body + (response.truncated ? '\n… cut, ' + response.bodyBytes + ' bytes' : '')
  block.append(
    element('summary', request.method + ' ' + request.url + ' as ' + as + ' → ' + response.status),
    element('pre', lines(request.headers) + (request.body === undefined ? '' : '\n' + request.body), { tabIndex: 0 }),
    element('pre', lines(response.headers) + '\n\n' + body, { tabIndex: 0 }),
  )
  return block
}

/** Scrolls the JSON around a deviation to the marked place. */
function showMarks(part) {
  for (const pre of part.querySelectorAll('.fragment')) {
    const mark = pre.querySelector('mark')
    if (mark && pre.scrollHeight > pre.clientHeight) pre.scrollTop = mark.offsetTop - 40
  }
}

async function copy(button) {
  const source = button.closest('.script').querySelector('pre')
  try {
    await navigator.clipboard.writeText(source.textContent)
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(source)
    button.textContent = 'Selected: press Ctrl-C'
  }
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (button?.classList.contains('copy')) copy(button)
  const lazy = button?.closest('.lazy')
  if (lazy) exchangesOf(lazy.dataset.lane).then((known) => {
    lazy.replaceWith(...lazy.dataset.exchanges.split(' ').filter((id) => known[id]).map((id) => exchangeOf(known[id])))
  })
  // A link to where the page already is must lead there again.
  const link = event.target.closest('a[href^="#"]')
  if (link && link.getAttribute('href') === location.hash) recall()
})

document.addEventListener('toggle', ({ target }) => {
  if (!target.open) return
  const template = target.querySelector(':scope > template')
  if (template) template.replaceWith(template.content)
  showMarks(target)
  if (target.classList.contains('endpoint')) drawRows(target)
  if (target.dataset.ids && !target.querySelector('a')) {
    for (const { id } of target.dataset.ids.split(' ').map((number) => checks[number])) target.append(element('a', id, { href: '#' + id }), ' ')
  }
}, true)

form.addEventListener('input', () => { apply(); remember() })
form.addEventListener('reset', () => setTimeout(() => { apply(); remember() }))
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', recall)
unpack('judged').then((data) => {
  lanes = data.lanes
  checks = data.checks
  for (const check of checks) check.words = wordsOf(check)
  document.documentElement.dataset.ready = 'yes'
  showMarks(document)
  recall()
})
`
