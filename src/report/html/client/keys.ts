import { h, list } from './dom.ts'

const keys = ['j, k: the next or the previous deviation', 'o: open or close it', '?: show or hide these keys']

/** Steps through the deviations by keys, except while the reader types. Returns the hint at the keys. */
export function listenToKeys(): HTMLElement {
  const help = h('dialog', { 'aria-label': 'Keys' }, ...list('plain', keys))
  document.body.append(help)
  addEventListener('keydown', ({ key, target, ctrlKey, altKey, metaKey }) => {
    if (ctrlKey || altKey || metaKey || (target instanceof Element && target.closest('input, select'))) return
    const all = [...document.querySelectorAll<HTMLElement>('#deviations :is(.cause, .check) > summary')]
    const shown = all.filter((summary) => summary.checkVisibility())
    const at = shown.findLastIndex(({ parentElement }) => parentElement?.contains(document.activeElement))
    if (key === 'j') shown[at + 1]?.focus()
    if (key === 'k') shown[at - 1]?.focus()
    if (key === 'o') shown[Math.max(at, 0)]?.click()
    if (key === '?') help.open ? help.close() : help.showModal()
  })
  return h('span', { class: 'quiet keys' }, 'Press ? for keys')
}
