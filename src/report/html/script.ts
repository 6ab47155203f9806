/**
 * What `report.html` does when it is open: filters, deep links, copying, and exchanges that are drawn when asked for. Plain
 * JavaScript for browsers; text from records only ever becomes a text node.
 */
export const script = String.raw`
'use strict'
const checks = [...document.querySelectorAll('.check')]
const words = new Map(checks.map((check) => [check, check.querySelector('summary').textContent.toLowerCase()]))
const form = document.getElementById('filters')
const shown = document.getElementById('shown')

function chosen() {
  const data = new FormData(form)
  return { text: data.get('text').trim().toLowerCase(), area: data.get('area'), level: data.get('level'), outcomes: data.getAll('outcome') }
}

function apply() {
  const { text, area, level, outcomes } = chosen()
  let count = 0
  for (const check of checks) {
    const { area: itsArea, level: itsLevel, outcomes: its } = check.dataset
    const fits = (area === '' || area === itsArea) && (level === '' || level === itsLevel) &&
      (outcomes.length === 0 || outcomes.some((outcome) => its.split(' ').includes(outcome))) &&
      text.split(/\s+/).every((word) => words.get(check).includes(word))
    check.hidden = !fits
    if (fits) count += 1
  }
  for (const group of document.querySelectorAll('.endpoint, .area')) group.hidden = !group.querySelector('.check:not([hidden])')
  shown.textContent = count === checks.length ? count + ' checks' : count + ' of ' + checks.length + ' checks'
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
  const hash = decodeURIComponent(location.hash.slice(1))
  if (hash.startsWith('?')) {
    const state = new URLSearchParams(hash.slice(1))
    for (const name of ['text', 'area', 'level']) form.elements[name].value = state.get(name) ?? ''
    for (const box of form.querySelectorAll('[name=outcome]')) box.checked = state.getAll('outcome').includes(box.value)
    apply()
    return
  }
  const target = document.getElementById(hash)
  if (!target || !target.classList.contains('check')) return
  if (target.hidden) { form.reset(); apply() }
  target.open = true
  target.scrollIntoView()
  target.querySelector('summary').focus({ preventScroll: true })
}

function element(name, text, more) {
  const made = Object.assign(document.createElement(name), more ?? {})
  if (text !== undefined) made.textContent = text
  return made
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()
}

let islands
async function exchangesOf(lane) {
  islands ??= unpack(document.getElementById('exchanges').textContent)
  return (await islands)[lane] ?? {}
}

function pretty(body) {
  try { return JSON.stringify(JSON.parse(body), null, 2) } catch { return body }
}

function draw({ request, response, as }) {
  const block = element('div', undefined, { className: 'exchange' })
  const lines = (headers) => headers.map(([name, value]) => name + ': ' + value).join('\n')
  block.append(
    element('p', request.method + ' ' + request.url + ' as ' + as + ' → ' + response.status),
    element('pre', lines(request.headers) + (request.body === undefined ? '' : '\n' + request.body), { tabIndex: 0 }),
    element('pre', lines(response.headers) + '\n\n' + pretty(response.body) + (response.truncated ? '\n… cut, ' + response.bodyBytes + ' bytes' : ''), { tabIndex: 0 }),
  )
  return block
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
  if (!lazy) return
  exchangesOf(lazy.dataset.lane).then((known) => {
    lazy.replaceWith(...lazy.dataset.exchanges.split(' ').filter((id) => known[id]).map((id) => draw(known[id])))
  })
})
form.addEventListener('input', () => { apply(); remember() })
form.addEventListener('reset', () => setTimeout(() => { apply(); remember() }))
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', recall)
recall()
`
