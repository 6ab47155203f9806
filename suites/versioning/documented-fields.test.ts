import { describe, expect, test } from 'vitest'
import { isDocumented } from './documented-fields.ts'

describe('isDocumented', () => {
  test.each([
    ['event', ['id']],
    ['event', ['actor', 'display_login']],
    ['event[]', ['*', 'repo', 'name']],
  ])('knows the member %s %j', (resource, steps) => {
    expect(isDocumented(resource, steps)).toBe(true)
  })

  test.each([
    ['event', ['colour']],
    ['event[]', ['id']],
    ['event', ['actor', 'colour']],
    ['no-such-resource', ['id']],
  ])('does not know %s %j', (resource, steps) => {
    expect(isDocumented(resource, steps)).toBe(false)
  })
})
