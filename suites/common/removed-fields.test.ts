import { describe, expect, test } from 'vitest'
import { anonymous } from '../../src/http/exchange/caller.ts'
import { json, scriptedTarget } from '../../src/http/testing/scripted-target.ts'
import { judge } from '../../src/run/judge/judge.ts'
import { openSession } from '../../src/run/judge/testing/session.ts'
import type { RemovedField } from '../../src/spec/changes.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { Listing } from '../../src/suite/listing.ts'
import { looksLike } from './object-kinds.ts'
import { embeddedRemovals } from './removable-objects.ts'
import { removedFieldChecks } from './removed-fields.ts'

describe('object kinds', () => {
  const owner = { login: 'octo-org' }
  const pull = { number: 1, title: 'a', head: { ref: 'a' }, base: { ref: 'b' } }

  test.each([
    ['a repository', { full_name: 'a/b', owner }, ['repository']],
    ['the minimal repository of a thread', { id: 1, name: 'b', full_name: 'a/b', owner, private: true }, ['repository']],
    ["an event's repository, which is none", { id: 1, name: 'a/b', url: 'u' }, []],
    ['a repository without owner', { full_name: 'a/b', owner: null }, []],
    ['a pull request, which is no issue', pull, ['pull request']],
    ['an issue', { number: 1, title: 'a', user: {} }, ['issue']],
    ['an issue that names its pull request', { number: 1, title: 'a', pull_request: { url: 'u' } }, ['issue']],
    ['a push, whose head is a hash', { head: 'abc', before: 'def', ref: 'r' }, []],
    ['a comparison of two ends', { head: {}, base: {} }, ['pull request']],
    ['an alert with a number in text', { number: '1', title: 'a' }, []],
  ])('an object is recognised by its shape: %s', (_, object, kinds) => {
    expect(Object.entries(looksLike).flatMap(([kind, is]) => (is(object) ? [kind] : []))).toEqual(kinds)
  })
})

const repository = { full_name: 'a/b', owner: {} }
const issue = { number: 1, title: 'a' }
const pull = { ...issue, head: { repo: repository }, base: { repo: repository } }

/** What the check of one field comes to on a feed whose events carry a payload. */
async function judged(field: RemovedField, payload: unknown, status = 200) {
  const { baseUrl } = await scriptedTarget((_, response) => json(response, status, [{ id: '1', type: 'X', payload }]))
  const endpoint = endpoints.publicEvents
  const read = async (t: ConstructorParameters<typeof Listing>[0]) =>
    t.read(new Listing(t, { endpoint, as: anonymous }).request())
  const checks = removedFieldChecks({ id: 'events.public', endpoint, needs: {}, fields: [field], read })
  const [only] = checks
  if (!only) throw new Error('no check')
  return judge(only, suite({ area: 'events', endpoint, checks }), await openSession(baseUrl))
}

const { squashTitle, hasDownloads, mergeCommit, assignee } = embeddedRemovals

describe('a removed field', () => {
  test.each<[string, RemovedField, unknown]>([
    [
      'use_squash_pr_title_as_default of a repository',
      squashTitle,
      { repository: { ...repository, use_squash_pr_title_as_default: false } },
    ],
    [
      'has_downloads of a repository deep in a pull request',
      hasDownloads,
      { pull_request: { ...pull, base: { repo: { ...repository, has_downloads: true } } } },
    ],
    ['merge_commit_sha of a pull request, also null', mergeCommit, { pull_request: { ...pull, merge_commit_sha: null } }],
    ['assignee of an issue', assignee, { issue: { ...issue, assignee: null } }],
    ['assignee of a pull request in a list', assignee, { pulls: [{ ...pull, assignee: {} }] }],
  ])('a removed field is found: %s', async (_, field, payload) => {
    const record = await judged(field, payload)
    expect(record).toMatchObject({ outcome: 'failed', deviation: { expected: `no member ${field.field}` } })
    expect(record.deviation?.pointer).toMatch(/^\/0\/payload\//)
  })

  test.each<[string, RemovedField, unknown]>([
    ['another member that begins alike', hasDownloads, { repository: { ...repository, downloads_url: 'u' } }],
    ['the same word as a value', hasDownloads, { repository: { ...repository, description: 'has_downloads' } }],
    ['assignee of the payload itself', assignee, { action: 'assigned', assignee: {}, issue: { ...issue, assignees: [] } }],
    ['merge_commit_sha outside a pull request', mergeCommit, { merge_commit_sha: 'a', pull_request: pull }],
    ['has_downloads of what is no repository', hasDownloads, { template: { has_downloads: true }, repository }],
  ])('a removed field is not reported by mistake: %s', async (_, field, payload) => {
    expect(await judged(field, payload)).toMatchObject({ outcome: 'passed', detail: '' })
  })

  test('a removed field is untested when no such object was seen', async () => {
    expect(await judged(hasDownloads, { action: 'started' })).toMatchObject({
      outcome: 'untested',
      detail: 'there was no repository object to examine',
    })
  })

  test('a removed field is not searched for in a rejected request', async () => {
    expect(await judged(hasDownloads, { repository: { ...repository, has_downloads: true } }, 403)).toMatchObject({
      outcome: 'untested',
    })
  })

  test('a removed field of the body itself is searched for only at the top level', async () => {
    const bundle: RemovedField = { change: 21, field: 'payload', in: 'attestation', early: 'open' }
    expect(await judged(bundle, {})).toMatchObject({ outcome: 'failed', title: 'omits payload from each attestation' })
    expect(await judged({ ...bundle, field: 'bundle' }, { bundle: [] })).toMatchObject({ outcome: 'passed', subjects: 1 })
  })

  test('a removed field is not judged on an object that does not show of which kind it is', async () => {
    const history: RemovedField = { change: 8, field: 'history', in: 'base gist', early: 'open' }
    expect(await judged(history, {})).toMatchObject({ outcome: 'untested' })
    expect(await judged({ ...history, field: 'payload' }, {})).toMatchObject({ outcome: 'failed' })
  })
})
