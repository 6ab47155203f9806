import { describe, expect, test } from 'vitest'
import { isDocumented } from './comparison.ts'

describe('isDocumented', () => {
  test.each([
    ['event', ['id']],
    ['event', ['actor', 'display_login']],
    ['event[]', ['*', 'repo', 'name']],
  ])('the schema of %s documents the member %j', (resource, steps) => {
    expect(isDocumented(resource, steps)).toBe(true)
  })

  test.each([
    ['event', ['colour']],
    ['event[]', ['id']],
    ['event', ['actor', 'colour']],
    ['no-such-resource', ['id']],
  ])('the schema of %s does not document %j', (resource, steps) => {
    expect(isDocumented(resource, steps)).toBe(false)
  })
})
