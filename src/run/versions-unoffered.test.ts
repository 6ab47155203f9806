import { describe, expect, test } from 'vitest'
import { judgeAll } from '../../fixtures/proof/judge-reference.ts'
import { json, openSession, scriptedTarget } from '../../fixtures/proof/scripted-target.ts'
import { versioningSuites } from '../../suites/versioning/index.ts'
import { type ApiVersion, apiVersions } from '../spec/versions.ts'
import { isAcross } from '../suite/check.ts'
import type { CheckRecord } from './record.ts'
import { allChecks } from './selection.ts'

const tokens = (['owner', 'org-owner', 'outsider', 'restricted'] as const).map((role) => ({
  role,
  kind: 'classic' as const,
  login: `${role}-login`,
  secret: `secret-of-${role}`,
}))

const repository = { owner: 'octo-org', repo: 'hello' }
const get = (path: string) => ({ method: 'GET', path })
const change = (method: string, path: string, body: object) => ({ method, path, body, disposable: true })

const needs = {
  organization: { org: 'octo-org' },
  'public-repository': repository,
  'default-setup': repository,
  'submodule-listing': { ...repository, path: 'modules' },
  gist: { gist_id: 'a1', sha: 'f00' },
  attestation: { ...repository, org: 'octo-org', username: 'mona', subject_digest: 'sha256:0' },
  'organization-secret': {
    org: 'octo-org',
    secret_name: 'S',
    body: { encrypted_value: 'x', key_id: '1' },
    repository_ids: [1, 2],
  },
  workflow: { ...repository, workflow_id: 'greet.yml' },
  'disposable-installation': Array.from({ length: 4 }, (_, id) => ({ installation_id: id, token: 'secret-of-app' })),
  'version-request': [
    ...[4, 5, 7, 12, 15, 16, 17, 19].map((number) => ({ change: number, ...get(`/declared/${number}`) })),
    ...[5, 17, 19].map((number) => ({ change: number, ...change('PATCH', `/declared/${number}`, { assignee: 'mona' }) })),
    ...[5, 16, 17].map((number) => ({ change: number, ...change('POST', `/declared/${number}`, { title: 'Hello' }) })),
  ],
}

async function judged(
  answer: Parameters<typeof scriptedTarget>[0],
  apiVersion: ApiVersion,
  across = false,
): Promise<CheckRecord[]> {
  const { baseUrl } = await scriptedTarget(answer)
  const checks = allChecks(versioningSuites).filter(({ check }) => isAcross(check) === across)
  return judgeAll(checks, await openSession(baseUrl, { tokens, needs }, { apiVersion }))
}

const ids = (records: readonly CheckRecord[], ...outcomes: CheckRecord['outcome'][]) =>
  records
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map(({ id }) => id)
    .sort()

describe.each(apiVersions)('a target that offers nothing of the table of changes, under %s', (version) => {
  test.each([404, 405, 410, 501])('is not judged for answering %i', async (status) => {
    const records = await judged((_, response) => json(response, status, { message: 'no' }), version)
    expect(ids(records, 'failed', 'warned', 'errored')).toEqual([])
    expect(ids(records, 'passed').filter((id) => !id.endsWith('.unblocked-not-451'))).toEqual([])
  })
})

describe.each(apiVersions)('a target that answers 200 and an empty list to everything, under %s', (version) => {
  test('passes nothing that such an answer does not show', async () => {
    const records = await judged((_, response) => json(response, 200, []), version)
    expect(ids(records, 'passed')).toEqual(['versioning.set-organization-secret.integers-accepted'])
    expect(ids(records, 'errored')).toEqual([])
  })
})

describe('across versions', () => {
  test.each([
    ['404 to everything', 404, { message: 'no' }],
    ['an empty list to everything', 200, []],
    ['an empty object to everything', 200, {}],
  ])('nothing is found wrong with %s', async (_, status, body) => {
    const records = await judged((_, response) => json(response, status, body), '2026-03-10', true)
    expect(ids(records, 'failed', 'warned', 'errored')).toEqual([])
  })
})
