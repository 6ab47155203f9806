import { describe, expect, test } from 'vitest'
import { parseReadings, readings, readingsOf } from './readings.ts'
import { documentRequirements } from './requirements.ts'

const ids = readings.map(({ id }) => id)

/** A page with one reading that has these list items. */
function pageWith(...items: readonly string[]) {
  return ['# Readings', '## A. Paging', '### A1', '*Limits*', ...items, '## B. Polling'].join('\n\n')
}

describe('a page of readings', () => {
  test('is read as the labelled texts below each heading', () => {
    const page = pageWith('- **Open:** A gap.\n- **Judged:** The need `user` is given.\n- **Only for:** `*.*.a`, `b.*.*`')
    const read = { id: 'A1', section: 'Limits', open: 'A gap.', judged: 'The need user is given.', checks: ['*.*.a', 'b.*.*'] }
    expect(parseReadings(page)).toEqual([read])
  })

  test.each([
    ['without a judgement', '- **Open:** A gap.', 'A1 needs a section, "Open" and "Judged"'],
    ['with an unknown label', '- **Open:** A gap.\n- **Judged:** So.\n- **Missed:** All.', 'A1 has the unknown label "Missed"'],
  ])('%s is rejected', (_, items, message) => {
    expect(() => parseReadings(pageWith(items))).toThrow(message)
  })
})

describe('docs/readings.md', () => {
  test('numbers each chapter from 1 without a gap; an inserted reading has the number before it and the letter a', () => {
    const numbered = ids.filter((id) => !id.endsWith('a'))
    const letters = [...new Set(ids.map((id) => id.charAt(0)))]
    const expected = letters.flatMap((letter) =>
      numbered.filter((id) => id.startsWith(letter)).map((_, index) => `${letter}${index + 1}`),
    )
    expect(numbered).toEqual(expected)
    expect(ids.filter((id, index) => id.endsWith('a') && `${ids[index - 1]}a` !== id)).toEqual([])
  })

  test('states whole sentences', () => {
    const sentence = /^[A-Z].*\.$/s
    const texts = readings.flatMap(({ open, judged, caught = 'None.', uncited = 'None.' }) => [open, judged, caught, uncited])
    expect(texts.filter((text) => !sentence.test(text))).toEqual([])
  })

  test('refers to readings that exist', () => {
    const named = readings.flatMap(({ open, judged, caught }) => `${open} ${judged} ${caught}`.match(/\b[A-HV]\d+a?\b/g) ?? [])
    expect(named.filter((id) => !ids.includes(id))).toEqual([])
  })
})

describe('the readings of a check', () => {
  test('are those of its requirements, in the order of the page', () => {
    const found = readingsOf('events.public.cap', ['events.window.size', 'events.feeds.order'], documentRequirements).map(
      ({ id }) => id,
    )
    expect(found).toEqual(['G14', 'C1', 'C16'])
    expect(readingsOf('events.public.cap', [], documentRequirements)).toEqual([])
  })

  test('leave out those that bear on other checks of the same requirement', () => {
    const read = (aspect: string) =>
      readingsOf(`events.public.${aspect}`, ['limits.per-page-max'], documentRequirements).map(({ id }) => id)
    expect(read('per-page-max')).toEqual(['G5', 'A1', 'A5'])
    expect(read('per-page-reachable')).toEqual(['G5', 'A5', 'A9'])
  })
})
