import { describe, expect, test } from 'vitest'
import { FieldNames } from './field-names.ts'

const names = new FieldNames(
  { avatar_id: 'picture' },
  { 'event-actor': { avatar_id: 'portrait' }, event: { type: 'what', payload: 'details' }, 'push-payload': { ref: 'branch' } },
)
const wire = [{ what: 'PushEvent', actor: { portrait: 'a' }, org: { picture: 'b' }, details: { branch: 'main', ref: 'other' } }]
const neutral = [{ type: 'PushEvent', actor: { avatar_id: 'a' }, org: { avatar_id: 'b' }, payload: { ref: 'main' } }]

describe('names of fields by kind of object', () => {
  test('objects of a kind are recognised by their place and the type of their event', () => {
    expect(names.toNeutral(wire, 'event')).toEqual(neutral)
    expect(names.toWire(neutral, 'event')).toEqual([
      { what: 'PushEvent', actor: { portrait: 'a' }, org: { picture: 'b' }, details: { branch: 'main' } },
    ])
  })

  test('an object of no known kind has the names that apply everywhere', () => {
    expect(names.toNeutral({ actor: { portrait: 'a', picture: 'b' } })).toEqual({ actor: { portrait: 'a', avatar_id: 'b' } })
  })

  test.each([
    ['/0/actor/avatar_id', '/0/actor/portrait'],
    ['/0/org/avatar_id', '/0/org/picture'],
    ['/0/payload/ref', '/0/details/branch'],
    ['/0/missing/avatar_id', '/0/missing/picture'],
    ['', ''],
  ])('the pointer %s leads to %j in the body as it was sent', (pointer, sent) =>
    expect(names.wirePointer(pointer, wire, 'event')).toBe(sent),
  )

  test('a pointer to a field that the target sends under the name of the document keeps that name', () => {
    expect(names.wirePointer('/0/actor/avatar_id', [{ actor: { avatar_id: 'a' } }], 'event')).toBe('/0/actor/avatar_id')
  })
})
