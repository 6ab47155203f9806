import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { hostile } from '../../record/testing/sample-report.ts'
import { pack, unpack } from './packed.ts'

const again = (value: unknown) => unpack(JSON.parse(JSON.stringify(pack(value))))

test('every value is unpacked as it was packed', () =>
  assert(property(jsonValue(), (value) => void expect(again(value)).toEqual(JSON.parse(JSON.stringify(value))))))

test('names and texts of a target are data', () => {
  const value = JSON.parse(`{"__proto__": {"constructor": 1}, "a,b": [], "": {}, "-1": ${JSON.stringify(hostile)}}`)
  expect(Object.entries(again(value) as object)).toEqual(Object.entries(value))
})

test('a text that occurs a thousand times is stored once', () => {
  const rows = Array.from({ length: 1000 }, (_, row) => ({ endpoint: 'GET /events', row }))
  expect(JSON.stringify(pack(rows)).match(/GET/g)).toHaveLength(1)
})
