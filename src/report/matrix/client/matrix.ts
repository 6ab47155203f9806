import { reportLanes } from '../../../record/report-lanes.ts'
import { counted, grouped } from '../../../text/format.ts'
import { type Claim, type Filter, filtered, filters, type Matrix } from '../../comparison/matrix.ts'
import { filterForm, h, hasWords, statedIn, unpacked, wordsField } from '../../html/client/dom.ts'
import type { MatrixPageData } from '../page.ts'
import { header, matrixTable } from './head.ts'
import { anchorOf, groupRows, openRow, openRows } from './rows.ts'

/** The most claims for which a filter opens their endpoints. */
const openedAtMost = 60

void unpacked().then(draw)

function draw({ matrix, records }: MatrixPageData) {
  const lanes = records.map(reportLanes)
  const form = filterForm(changed, ...fields(matrix))
  const shown = h('p', { id: 'shown', role: 'status' })
  const body = h('tbody')
  document.body.append(header(matrix), h('main', {}, form, shown, matrixTable(matrix, body)))
  addEventListener('hashchange', follow)
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href^="#"]') : null
    // A link to the current address leads there again.
    if (link?.getAttribute('href') === location.hash) follow()
  })
  refresh()
  follow()
  document.documentElement.dataset.ready = 'yes'

  function refresh() {
    const claims = chosen(matrix, statedIn(form))
    body.replaceChildren(...groupRows({ matrix, lanes }, claims))
    const isWhole = claims.length === matrix.claims.length
    if (!isWhole && claims.length <= openedAtMost) openRows(body)
    const all = counted(matrix.claims.length, matrix.by)
    shown.textContent = isWhole ? all : `${grouped(claims.length)} of ${all}`
  }

  function changed() {
    history.replaceState(null, '', `#?${statedIn(form)}`)
    refresh()
  }

  /** Sets the filters of a link: `#?show=only-red&in=1`; or opens the claim of a link. */
  function follow() {
    const hash = decodeURIComponent(location.hash.slice(1))
    const claim = matrix.claims.find((one) => anchorOf(matrix, one) === hash)
    if (claim) {
      reveal(claim)
      return
    }
    recall(new URLSearchParams(hash.replace('?', '')))
  }

  function recall(state: URLSearchParams) {
    for (const field of form.querySelectorAll<Field>('select, input'))
      field.value = state.get(field.name) ?? ''
    refresh()
  }

  /** Opens a claim. Filters that hide it are removed. */
  function reveal(claim: Claim) {
    if (!chosen(matrix, statedIn(form)).includes(claim)) recall(new URLSearchParams())
    const { area, endpoint } = claim
    for (const key of [area, `${area} ${endpoint}`]) openRow(body, key)
    const row = openRow(body, anchorOf(matrix, claim))
    row?.scrollIntoView()
    row?.querySelector('button')?.focus({ preventScroll: true })
  }
}

type Field = HTMLSelectElement | HTMLInputElement

function fields({ implementations }: Matrix) {
  const columns = implementations.map(({ name }, index) => [String(index), name] as const)
  return [
    h('label', {}, 'Rows ', choice('show', 'all', Object.entries(filters))),
    h('label', {}, 'in ', choice('in', 'any implementation', columns)),
    wordsField(),
  ]
}

function choice(name: string, any: string, values: readonly (readonly [string, string])[]) {
  const options = values.map(([value, text]) => h('option', { value }, text))
  return h('select', { name }, h('option', { value: '' }, any), ...options)
}

/** The claims that the filters leave. */
function chosen({ claims }: Matrix, state: URLSearchParams) {
  const show = state.get('show')
  const column = state.has('in') ? Number(state.get('in')) : undefined
  const found = show !== null && show in filters ? filtered(claims, show as Filter, column) : claims
  return found.filter(({ id, title, endpoint }) => hasWords(`${id} ${title} ${endpoint}`, state))
}
