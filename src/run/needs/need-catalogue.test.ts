import { describe, expect, test } from 'vitest'
import { schemaNames, validatorOf } from '../../package/schemas.ts'
import type { NeedName } from '../../spec/needs.ts'
import { needCatalogue } from './need-catalogue.ts'

/** Every name of the need catalogue; the type makes a forgotten or misspelt one an error of the build. */
const needNames = Object.keys({
  token: true,
  user: true,
  'public-repository': true,
  'private-repository': true,
  'foreign-private-repository': true,
  organization: true,
  'empty-organization': true,
  'empty-repository': true,
  'renamed-repository': true,
  'busy-user': true,
  'busy-repository': true,
  'busy-organization': true,
  'windowed-feed': true,
  'received-events': true,
  'new-event': true,
  'unread-thread': true,
  'read-thread': true,
  'foreign-thread': true,
  'shared-thread': true,
  'muting-thread': true,
  'watched-thread': true,
  'filter-threads': true,
  'large-inbox': true,
  'disposable-inbox': true,
  'bulk-inbox': true,
  'new-notification': true,
  'comment-on-thread': true,
  'mention-on-thread': true,
  'exportable-repository': true,
  'second-repository': true,
  'many-migrations': true,
  'many-repositories': true,
  'failed-migration': true,
  'foreign-migration': true,
  'expired-migration': true,
  'advance-clock': true,
  'permission-target': true,
  'version-request': true,
  'trade-restricted-request': true,
  'disposable-installation': true,
  workflow: true,
  'submodule-listing': true,
  gist: true,
  attestation: true,
  'organization-secret': true,
  'default-setup': true,
} satisfies Record<NeedName, true>)

/** The needs that the package describes: other tests of this thread add needs of their own suites. */
const packaged = [...needCatalogue.values()].filter(({ name }) => schemaNames().includes(`needs/${name}`))

describe('the need catalogue', () => {
  test('every need has a schema, and every schema of a need has a name in the catalogue', () => {
    expect(packaged.map(({ name }) => name).sort()).toEqual([...needNames].sort())
  })

  test.each(packaged)('the need $name states its kind, its purpose and how to provide it', (need) => {
    expect(['value', 'consumable', 'action']).toContain(need.kind)
    expect(need.description).toMatch(/\.$/)
    expect(need.how.length).toBeGreaterThan(10)
    expect(() => validatorOf(`needs/${need.name}`)).not.toThrow()
  })
})
