import { describe, expect, test } from 'vitest'
import { validatorOf } from '../package/schemas.ts'
import type { NeedName } from '../spec/needs.ts'
import { Catalogue } from './catalogue.ts'

/** Every name of the need catalogue. A misspelt one is an error of the build. */
const needNames = [
  'token',
  'user',
  'public-repository',
  'private-repository',
  'foreign-private-repository',
  'organization',
  'empty-organization',
  'empty-repository',
  'renamed-repository',
  'busy-user',
  'busy-repository',
  'busy-organization',
  'windowed-feed',
  'received-events',
  'new-event',
  'unread-thread',
  'read-thread',
  'foreign-thread',
  'shared-thread',
  'muting-thread',
  'watched-thread',
  'filter-threads',
  'large-inbox',
  'disposable-inbox',
  'bulk-inbox',
  'new-notification',
  'comment-on-thread',
  'mention-on-thread',
  'exportable-repository',
  'second-repository',
  'many-migrations',
  'many-repositories',
  'failed-migration',
  'foreign-migration',
  'expired-migration',
  'advance-clock',
  'permission-target',
  'version-request',
  'trade-restricted-request',
  'disposable-installation',
  'workflow',
  'submodule-listing',
  'gist',
  'attestation',
  'organization-secret',
  'default-setup',
] as const satisfies readonly NeedName[]

// A forgotten name is an error of the build.
true satisfies NeedName extends (typeof needNames)[number] ? true : false

const packaged = [...new Catalogue().needs.values()]

describe('the need catalogue', () => {
  test('every need has a schema, and every schema of a need has a name in the catalogue', () => {
    expect(packaged.map(({ name }) => name).sort()).toEqual([...needNames].sort())
  })

  test.each(packaged)('the need $name has a schema, and its purpose is a sentence', (need) => {
    expect(need.description).toMatch(/\.$/)
    expect(() => validatorOf(`needs/${need.name}`)).not.toThrow()
  })
})
