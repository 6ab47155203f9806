import { describe, expect, test } from 'vitest'
import { defaults } from '../../config/config.ts'
import { Dialect } from '../../http/dialect/dialect.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import { need } from '../../suite/needs.ts'
import { checkStaticNeeds } from './given-values.ts'
import { needResolver } from './need-resolver.ts'
import type { Provider } from './provider.ts'

const hello = { method: 'GET', path: '/repos/octo-org/hello' }

function resolver(needs: Record<string, unknown>, given?: unknown) {
  const provider: Provider = { ask: async () => ({ given }), release: async () => {} }
  const target = { config: { ...defaults, needs }, version: '2026-03-10' as const, dialect: new Dialect() }
  return needResolver({ ...target, provider: given === undefined ? undefined : provider, redactor: new Redactor() })
}

describe('the need version-request', () => {
  test.each([
    [
      'a list of requests',
      [
        { change: 5, ...hello },
        { change: 17, method: 'GET', path: '/pulls' },
      ],
    ],
    ['requests', { requests: [hello] }],
    ['a single request', { change: 5, ...hello }],
  ])('the need version-request is met by %s in the configuration', async (_, value) => {
    checkStaticNeeds({ needs: { 'version-request': value } })
    expect(await resolver({ 'version-request': value }).resolveOne(need('version-request', { change: 5 }))).toEqual({
      requests: [hello],
    })
  })

  test.each([[[hello]], [{ requests: [hello] }]])(
    'the need version-request is met by a provider that returns %j',
    async (given) => {
      expect(await resolver({}, given).resolveOne(need('version-request', { change: 5 }))).toEqual({ requests: [hello] })
    },
  )

  test('requests of a provider count as given, and an empty list does not', async () => {
    const needs = resolver({}, [{ change: 5, ...hello }])
    const given = (change: number) => needs.resolveOne(need('version-request', { change }))
    expect(needs.wasGivenFor('version-request', await given(5))).toBe(true)
    expect(needs.wasGivenFor('version-request', await given(17))).toBe(false)
  })

  test('the provider is asked when the configuration has version-requests only for other changes', async () => {
    const other = { 'version-request': [{ change: 17, method: 'GET', path: '/pulls' }] }
    expect(await resolver(other, [hello]).resolveOne(need('version-request', { change: 5 }))).toEqual({ requests: [hello] })
  })

  test.each([
    ['another method', { method: 'LOOK', path: '/x' }],
    ['a path without its slash', { method: 'GET', path: 'x' }],
    ['a change that there is not', { ...hello, change: 22 }],
    ['no path', { requests: [{ method: 'GET' }] }],
  ])('the need version-request rejects %s', (_, value) => {
    expect(() => checkStaticNeeds({ needs: { 'version-request': value } })).toThrow(/needs\.version-request/)
  })
})

describe('the need trade-restricted-request', () => {
  const wanted = need('trade-restricted-request', { change: 14, method: 'DELETE', path: '/orgs/{org}' })

  test('the need trade-restricted-request finds its path by the requested template', async () => {
    const other = { method: 'DELETE', path: '/orgs/spare/members/mona' }
    const right = { method: 'DELETE', path: '/orgs/spare', disposable: true }
    // Each of the two versions takes every second value.
    const needs = { 'trade-restricted-request': [other, other, right, right] }
    expect(await resolver(needs).resolveOne(wanted)).toEqual(right)
  })
})

describe('needs of the versioning area', () => {
  test.each([
    ['gist', { gist_id: 'a1', sha: 'f00' }],
    ['workflow', { owner: 'o', repo: 'r', workflow_id: 7, ref: 'main' }],
    ['submodule-listing', { owner: 'o', repo: 'r', path: '', name: 'lib' }],
    ['attestation', { org: 'o', subject_digest: 'sha256:0' }],
    ['organization-secret', { org: 'o', secret_name: 'S', body: { key_id: '1' }, repository_ids: [1] }],
    ['default-setup', { owner: 'o', repo: 'r' }],
  ])('the need %s may be %j', (name, value) => {
    expect(() => checkStaticNeeds({ needs: { [name]: value } })).not.toThrow()
  })

  test.each([
    ['gist', { sha: 'f00' }],
    ['workflow', { owner: 'o', repo: 'r', workflow_id: true }],
    ['submodule-listing', { owner: 'o', repo: 'r' }],
    ['attestation', { org: 'o' }],
    ['organization-secret', { org: 'o', secret_name: 'S', repository_ids: ['1'] }],
    ['default-setup', { owner: 'o' }],
  ])('the need %s must not be %j', (name, value) => {
    expect(() => checkStaticNeeds({ needs: { [name]: value } })).toThrow(`needs.${name}`)
  })
})
