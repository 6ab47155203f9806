import { describe, expect, test } from 'vitest'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { type Difference, noCrossVersion } from '../../record/run-record.ts'
import { differenceLines, renderConclusion } from './summary.ts'

const removed = (endpoint: string, at: string, change?: number): Difference => ({
  endpoint,
  at,
  kind: 'removed',
  older: 'object',
  newer: '',
  documented: false,
  ...(change === undefined ? {} : { change }),
})

describe('differenceLines', () => {
  test('the terminal counts the changes that were seen, and names the others', () => {
    const lines = differenceLines([removed('GET /gists', '/*/forks', 8), removed('GET /gists/public', '/*/forks', 8)])
    expect(lines.slice(0, 3)).toEqual([
      '',
      'differences between the versions: 1 of the 21 documented changes were seen; nothing else differs',
      expect.stringMatching(/^ {2}not seen {2}change 1, .*change 7, change 9, .*change 21$/),
    ])
  })

  test('the terminal names three unlisted differences', () => {
    const lines = differenceLines([removed('GET /rate_limit', '/rate', 1), removed('GET /events', '/*/actor')])
    expect(lines[2]).toBe('  GET /events /*/actor: removed, object → absent')
    const many = Array.from({ length: 12 }, (_, index) => removed('GET /events', `/*/${index}`))
    expect(differenceLines(many).slice(4, 6)).toEqual(['  GET /events /*/2: removed, object → absent', '  and 9 more'])
  })

  test('the terminal prints no control character from the target', () => {
    expect(differenceLines([removed('GET /events', '/\u001b[2J')]).join('\n')).not.toContain('\u001b')
  })

  test('the terminal prints nothing when nothing differs', () => {
    expect(differenceLines([])).toEqual([])
  })
})

test.each([
  { selection: undefined, counted: true },
  { selection: { by: ['--only gists'], selected: 1, of: 9 }, counted: false },
])('the documented changes are counted if the run judges all checks: $counted', ({ selection, counted }) => {
  const crossVersion = { ...noCrossVersion, differences: [removed('GET /gists', '/*/forks', 8)] }
  const { run } = sampleRecords({ crossVersion })
  const shown = renderConclusion({ ...run, ...(selection && { selection }) }, [], 'out', { colours: false, formats: [] })
  expect(shown.join('\n').includes('1 of the 21 documented changes')).toBe(counted)
})
