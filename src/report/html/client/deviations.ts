import type { DeviationModel, EvidenceModel, RunModel } from '../page-model.ts'
import { badge, type Child, disclosure, h, spaced, urgency } from './dom.ts'
import { exchangeBlocks, exchangeButton } from './exchanges.ts'

/** Failures that are open from the start. */
const openAtMost = 20

/** Deviations that are printed. */
const printedAtMost = 60

type Deviation = NonNullable<EvidenceModel['deviation']>

/** The deviations, the first failures open; undefined where the target does not deviate. */
export function deviationSection(run: RunModel): HTMLElement | undefined {
  const { deviations } = run
  if (deviations.length === 0) return undefined
  const blocks = deviations.map((one, index) => deviationOf(one, run, index < openAtMost && one.outcome === 'failed'))
  const left = deviations.length - printedAtMost
  const more = left > 0 ? [h('p', { class: 'paper' }, `${left} more deviations are on the page itself.`)] : []
  return h('section', { id: 'deviations', class: 'part' }, h('h2', {}, 'Deviations'), ...blocks, ...more)
}

function deviationOf(deviation: DeviationModel, run: RunModel, open: boolean): HTMLElement {
  const check = run.checks[deviation.check]
  if (!check) return h('div')
  const { id, endpoint, title, level, section, requirements, judgements } = check
  const badges = judgements.flatMap((judged, part) => (judged ? [badge(judged.outcome, run.parts[part]?.name)] : []))
  const found = urgency.filter((outcome) => judgements.some((judged) => judged?.outcome === outcome))
  const summary = [
    h('span', { class: 'title' }, h('code', {}, endpoint), ` ${title}`),
    ' ',
    h('span', { class: 'outcomes' }, ...spaced(badges)),
  ]
  const attributes = { class: 'check', id, 'data-outcomes': found.join(' '), ...(open ? { open: '' } : {}) }
  return disclosure(attributes, summary, () => [
    metaLine(id, [level, section, ...requirements]),
    ...deviation.blocks.map((block) => evidence(block, run)),
    ...readings(deviation),
  ])
}

/** The id of a check, its properties and a link to it. */
export function metaLine(id: string, properties: readonly string[]): HTMLElement {
  return h('p', { class: 'meta' }, h('code', {}, id), ` · ${properties.join(' · ')} · `, h('a', { href: `#${id}` }, 'link'))
}

function readings({ readings: all }: DeviationModel): Child[] {
  if (all.length === 0) return []
  const items = () => all.flatMap(({ id, judged }) => [h('dt', {}, `Reading ${id}`), h('dd', {}, judged)])
  return [disclosure({ class: 'readings' }, ['How the document is read here'], () => [h('dl', {}, ...items())])]
}

function evidence(block: EvidenceModel, run: RunModel): HTMLElement {
  const known = run.exchanges[block.part] ?? {}
  const part = run.parts[block.part]?.name ?? ''
  const heading = `${block.names.join(', ')}: ${block.outcome}${block.flaky ? ' (flaky)' : ''}`
  return h(
    'div',
    { class: 'judged' },
    h('h3', {}, heading),
    ...(block.detail === '' ? [] : [h('p', {}, block.detail)]),
    ...(block.deviation ? comparison(block.deviation) : []),
    ...(block.deviation ? exchangeBlocks(block.deviation.exchanges, known) : []),
    ...(block.deviation ? script(block.deviation.script) : []),
    ...block.others.map(({ name, actual }) => h('p', { class: 'also' }, `Under ${name}: ${actual}`)),
    ...exchangeButton(block.exchanges, known, part),
    ...block.repeats.flatMap(({ outcome, detail, exchanges }) => [
      h('p', {}, 'Judged again: ', h('strong', {}, outcome), ` ${detail}`),
      ...exchangeButton(exchanges, known, part),
    ]),
  )
}

/** The expected and the actual value with their difference marked, and the place in the body. */
function comparison({ expected, actual, pointer, fragment }: Deviation): Child[] {
  const [wanted, got] = marked(expected, actual)
  const place = pointer === '' ? [] : [h('dt', {}, 'At'), h('dd', {}, h('code', {}, pointer))]
  const list = h(
    'dl',
    { class: 'deviation' },
    ...[h('dt', {}, 'Expected'), h('dd', { class: 'wanted' }, ...wanted)],
    ...[h('dt', {}, 'Actual'), h('dd', { class: 'got' }, ...got)],
    ...place,
  )
  return fragment ? [list, ...fragmentBlock(fragment)] : [list]
}

/** Characters that two texts have in common before their difference is marked. */
const enoughShared = 8

function marked(a: string, b: string): [Child[], Child[]] {
  const from = commonLength(a, b)
  const tail = commonLength(reversed(a.slice(from)), reversed(b.slice(from)))
  if (from + tail < enoughShared) return [[a], [b]]
  const split = (whole: string) => {
    const middle = whole.slice(from, whole.length - tail)
    return [whole.slice(0, from), ...(middle === '' ? [] : [h('mark', {}, middle)]), whole.slice(whole.length - tail)]
  }
  return [split(a), split(b)]
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

function reversed(line: string): string {
  return line.split('').reverse().join('')
}

/** Lines on each side of the marked place that are printed. */
const near = 3

function fragmentBlock({ at, lines }: NonNullable<Deviation['fragment']>): Child[] {
  const isNear = (index: number) => lines.slice(Math.max(0, index - near), index + near + 1).some((line) => line.marked)
  const drawn = lines.flatMap(({ text, marked: hit }, index) => {
    if (hit) return [h('mark', {}, text), '\n']
    return isNear(index) ? [`${text}\n`] : [h('span', { class: 'far' }, `${text}\n`)]
  })
  const block = h('pre', { class: 'fragment', tabindex: '0', 'aria-label': 'JSON around the deviation' }, ...drawn)
  requestAnimationFrame(() => showMark(block))
  const place = at === '' ? [] : [' at ', h('code', {}, at)]
  return [h('p', { class: 'place' }, 'In the body', ...place, ':'), block]
}

/** Scrolls the JSON around a deviation to the marked place. */
function showMark(block: HTMLElement): void {
  const mark = block.querySelector('mark')
  if (mark && block.scrollHeight > block.clientHeight) block.scrollTop = mark.offsetTop - 40
}

function script(lines: readonly string[]): Child[] {
  if (lines.length === 0) return []
  const source = h('pre', { tabindex: '0', 'aria-label': 'shell script' }, lines.join('\n'))
  const button = h('button', { type: 'button', class: 'copy' }, 'Copy')
  button.addEventListener('click', () => void copy(source, button))
  return [h('div', { class: 'script' }, h('p', {}, 'To reproduce it: ', button), source)]
}

async function copy(source: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    button.textContent = 'Copied'
  } catch {
    getSelection()?.selectAllChildren(source)
    button.textContent = 'Selected: press Ctrl-C'
  }
}
