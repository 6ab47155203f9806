import { describe, expect, test } from 'vitest'
import { jsonCheck } from './json-check.ts'
import { isUnsafe, placeOf, Tally } from './tally.ts'

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

describe('the files of an archive', () => {
  test('a hard link is a further file of a folder', () => {
    const tally = new Tally({ limit: 1000, wanted: ['/refs/heads/main'] })
    for (const name of ['attachments/1.png', 'repositories/mona/atlas.git/HEAD']) tally.member({ name, type: 'File', size: 5 })
    for (const name of ['attachments/2.png', 'repositories/mona/atlas.git/refs/heads/main', 'issues.json'])
      expect(tally.member({ name, type: 'Link', size: 0 })).toBeUndefined()
    const { attachments, git, found, kinds } = tally.content()
    expect([attachments.files, git.files, kinds.size]).toEqual([2, 2, 0])
    expect([...found]).toContain('/refs/heads/main')
  })

  test.each([
    ['{"meta":{"version":1},"data":[]}', 'empty'],
    ['{"meta":{},"data":{}}', 'empty'],
    ['{"meta":{"version":1},"data":[{}]}', 'full'],
    ['{"meta":{"version":1}}', 'full'],
    ['{"version":1}', undefined],
  ])('the envelope %s is %s', (text, envelope) => {
    const check = jsonCheck(text.length, 1000, 1000)
    check.write(Buffer.from(text))
    expect(check.end()).toMatchObject({ valid: true, envelope })
  })
})
