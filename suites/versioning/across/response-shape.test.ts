import { describe, expect, test } from 'vitest'
import { compareShapes, pointerOf } from './response-shape.ts'

const found = (older: unknown, newer: unknown) =>
  compareShapes(older, newer).map(({ kind, steps, older, newer }) => [kind, pointerOf(steps), older, newer])

describe('compareShapes', () => {
  test.each([
    ['a member that is gone', { a: 1, b: 'x' }, { a: 1 }, ['removed', '/b', 'string', '']],
    ['a member that is new', { a: 1 }, { a: 1, b: null }, ['added', '/b', '', 'null']],
    ['a member of another type', { a: 1 }, { a: '1' }, ['type', '/a', 'number', 'string']],
    ['a member deep in a list', [{ a: { b: 1 } }], [{ a: {} }], ['removed', '/*/a/b', 'number', '']],
    ['a list in place of an object', { a: {} }, { a: [] }, ['type', '/a', 'object', 'array']],
    ['a key that is written like a pointer', { 'a/b': 1 }, {}, ['removed', '/a~1b', 'number', '']],
  ])('the comparison of shapes finds %s', (_, older, newer, difference) => {
    expect(found(older, newer)).toEqual([difference])
  })

  test.each([
    ['other values', { a: 1, b: 'x' }, { b: 'y', a: 2 }],
    ['what an empty list would hold', { a: [{ b: 1 }] }, { a: [] }],
    ['members that only some items hold', [{ a: 1 }, { b: 1 }], [{ b: 2 }, { a: 2 }]],
  ])('the comparison of shapes ignores %s', (_, older, newer) => {
    expect(found(older, newer)).toEqual([])
  })
})
