import { describe, expect, test } from 'vitest'
import type { Difference } from '../../record/run-record.ts'
import { renderDifferences } from './differences.ts'

const removed = (endpoint: string, at: string, change?: number): Difference => ({
  ...{ endpoint, at, kind: 'removed', older: 'object', newer: '', documented: false },
  ...(change === undefined ? {} : { change }),
})

describe('renderDifferences', () => {
  test('the terminal counts the changes that were seen', () => {
    const lines = renderDifferences([removed('GET /gists', '/*/forks', 8), removed('GET /gists/public', '/*/forks', 8)])
    expect(lines).toEqual([
      '',
      'differences between the versions: 1 of the 21 documented changes were seen; nothing else differs',
    ])
  })

  test('the terminal names ten unlisted differences', () => {
    const lines = renderDifferences([removed('GET /rate_limit', '/rate', 1), removed('GET /events', '/*/actor')])
    expect(lines[2]).toBe('  GET /events /*/actor: removed, object → absent')
    const many = Array.from({ length: 12 }, (_, index) => removed('GET /events', `/*/${index}`))
    expect(renderDifferences(many).slice(-2)).toEqual(['  GET /events /*/9: removed, object → absent', '  and 2 more'])
  })

  test('the terminal prints no control character from the target', () => {
    expect(renderDifferences([removed('GET /events', '/\u001b[2J')]).join('\n')).not.toContain('\u001b')
  })

  test('the terminal prints nothing when nothing differs', () => {
    expect(renderDifferences([])).toEqual([])
  })
})
