import { expect, test } from 'vitest'
import { renderTable, wrapped } from './table.ts'

const head = ['check', 'claim']
const rows = [
  ['a.b', 'responds with status 200 to each request of a caller without a token'],
  ['a.long-id', 'short'],
]

test('a table without a width has one line for each row', () =>
  expect(renderTable(head, rows)).toBe(
    [
      'check      claim',
      'a.b        responds with status 200 to each request of a caller without a token',
      'a.long-id  short',
      '',
    ].join('\n'),
  ))

test('the last column continues below itself, so that no line exceeds the width', () =>
  expect(renderTable(head, rows, 45)).toBe(
    [
      'check      claim',
      'a.b        responds with status 200 to each',
      '           request of a caller without a',
      '           token',
      'a.long-id  short',
      '',
    ].join('\n'),
  ))

test('a table without room for its last column becomes a list of blocks', () =>
  expect(renderTable(['check', 'level', 'claim'], [['a.long-id', 'must', rows[0]?.[1] ?? '']], 40)).toBe(
    [
      'a.long-id',
      '  level  must',
      '  claim  responds with status 200 to',
      '         each request of a caller',
      '         without a token',
      '',
    ].join('\n'),
  ))

test('a narrow last column needs no more room than its longest cell', () =>
  expect(renderTable(['area', 'count'], [['events', '7']], 13)).toBe('area    count\nevents  7\n'))

test('control characters of a target are made visible in each cell', () =>
  expect(renderTable(['a'], [['x\u001b[31m']])).toContain('x\\u001b[31m'))

test('long lines of a text are wrapped behind a deeper indent; short and empty lines stay', () =>
  expect(wrapped('short\n\n  one two three four five six\n', 18)).toBe('short\n\n  one two three\n      four five\n      six\n'))

test('a line with a label continues below the text behind the label', () =>
  expect(wrapped('  level  must\n  claim  one two three\n', 17)).toBe('  level  must\n  claim  one two\n         three\n'))

test('a line with a command is not wrapped, so that it can be copied', () => {
  const line = "  again     curl -sS -i -H 'Accept: application/json' 'http://localhost:3000/events'\n"
  expect(wrapped(line, 40)).toBe(line)
})

test('a comment of a command is not wrapped, so that it can be copied with the command', () => {
  const line = '            # OWNER_TOKEN: the secret of the configured token\n'
  expect(wrapped(line, 40)).toBe(line)
})

test('JSON that is longer than a line continues after a comma, and an address stays whole', () =>
  expect(wrapped('  actual  {"id":1,"login":"mona"} at https://service.test/users/mona,mona\n', 28)).toBe(
    '  actual  {"id":1,\n          "login":"mona"} at\n          https://service.test/users/mona,mona\n',
  ))

test('a number stays beside its unit, and minutes beside their seconds', () =>
  expect(wrapped('  3,888 requests, 58.4 MB in 2 min 56 s, 99 % of 4 sorts\n', 28)).toBe(
    '  3,888 requests, 58.4 MB in\n      2 min 56 s, 99 % of 4\n      sorts\n',
  ))

test('a command in quotes stays whole, so that it can be copied', () =>
  expect(wrapped('  a.yaml; "npx suite doctor --config a.yaml" and "npx suite run" judge\n', 36)).toBe(
    '  a.yaml;\n      "npx suite doctor --config a.yaml"\n      and "npx suite run" judge\n',
  ))

test('colours take no room in a wrapped line', () => {
  expect(wrapped('\u001b[31mone\u001b[0m  two three four\n', 14)).toBe('\u001b[31mone\u001b[0m  two three\n     four\n')
})

test('a path that is longer than the last column is broken behind a slash', () =>
  expect(renderTable(['n', 'checks of'], [['1', 'GET /repos/{owner}/{repo}/notifications']], 33)).toBe(
    ['n  checks of', '1  GET /repos/{owner}/{repo}/', '   notifications', ''].join('\n'),
  ))
