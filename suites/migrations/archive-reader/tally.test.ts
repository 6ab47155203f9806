import { describe, expect, test } from 'vitest'
import { isUnsafe, placeOf } from './tally.ts'

describe('the place of an archive member', () => {
  test.each([
    ['issues_000001.json', 'issues'],
    ['issues.json', 'issues'],
    ['./issues-7.json', 'issues'],
    ['export-71/issue_events_000001.json', 'issue_events'],
    ['issue_comments/000001.json', 'issue_comments'],
    ['ISSUES_1.JSON', 'issues'],
    ['pull_request_reviews_000001.json', 'pull_request_reviews'],
    ['attachments_000001.json', 'attachments'],
    ['repositories_000001.json', 'repositories'],
    ['repositories/000001.json', 'repositories'],
    ['./export/attachments/2.json', 'attachments'],
    ['schema', 'schema'],
  ])('the archive member %s contains %s', (name, kind) => expect(placeOf(name)).toEqual({ part: 'objects', kind, json: true }))

  test.each([
    ['attachments/notes.json', 'attachments'],
    ['./attachments/a/b.png', 'attachments'],
    ['repositories/mona/atlas.git/HEAD', 'git'],
    ['export-71/repositories/mona/issues.json', 'git'],
    ['repositories/issues_000001.json', 'git'],
    ['repositories/7/1.json', 'git'],
    ['urls_000001.json', 'other'],
    ['issuesque.json', 'other'],
    ['a/b/issues_000001.json', 'other'],
    ['attachments', 'objects'],
    ['', 'other'],
  ])('the archive member %s is part of %s', (name, part) => expect(placeOf(name).part).toBe(part))

  test('an object file with another extension is not a JSON file', () =>
    expect(placeOf('issues_000001.json.gz')).toEqual({ part: 'objects', kind: 'issues', json: false }))
})

describe('names that leave the folder', () => {
  test.each(['/etc/motd', '../up', 'a/../../b', 'C:\\boot.ini', '\\\\host\\share', 'a\\..\\b'])(
    'the name %s leaves the folder',
    (name) => expect(isUnsafe(name)).toBe(true),
  )

  test.each(['issues.json', './a', 'a..b/c', '...', 'a/.git/b', 'c:d'])('the name %s stays within the folder', (name) =>
    expect(isUnsafe(name)).toBe(false),
  )
})
