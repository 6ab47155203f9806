import { describe, expect, test } from 'vitest'
import { Dialect } from './dialect.ts'

const dialect = new Dialect({
  headers: { 'X-Poll-Interval': 'X-Wait', permissions: 'X-Needs' },
  queryParameters: { per_page: 'limit', all: 'everything' },
  paths: { '/notifications': '/inbox' },
  pathWords: { depbot: 'updater' },
  permissions: { depbot_alerts: 'updater_alerts' },
  fields: { avatar_id: 'picture_id', type: 'kind' },
  objects: { 'event-actor': { avatar_id: 'portrait' } },
})

describe('a sentence about a target with a dialect', () => {
  test.each([
    ['no X-Poll-Interval header', 'no X-Wait [X-Poll-Interval] header'],
    ['per_page has no effect', 'limit [per_page] has no effect'],
    ['the list with all=true and per_page=5', 'the list with everything=true and limit=5'],
    [
      'GET /notifications and GET /repos/{owner}/{repo}/depbot/alerts',
      'GET /inbox [/notifications] and GET /repos/{owner}/{repo}/updater/alerts [/repos/{owner}/{repo}/depbot/alerts]',
    ],
    ['needs depbot_alerts', 'needs updater_alerts [depbot_alerts]'],
    ["must have required property 'avatar_id'", "must have required property 'picture_id or portrait' [avatar_id]"],
    ['{"avatar_id":"avatar_id","type":"x"}', '{"picture_id or portrait":"avatar_id","kind":"x"}'],
    ['thread /type must be string', 'thread /kind [/type] must be string'],
  ])('%s', (sentence, said) => expect(dialect.sentence(sentence)).toBe(said))

  test('a sentence about one kind of object uses the names of that kind', () => {
    expect(dialect.sentence('{"avatar_id":""}', 'event-actor')).toBe('{"portrait":""}')
    expect(dialect.sentence("'avatar_id'", 'user')).toBe("'picture_id' [avatar_id]")
  })

  test.each([
    'all 4 items of this type',
    'http://127.0.0.1:4100/notifications/type',
    '"per_page of type X-Poll-Interval"',
    '/notifications-old and /inbox/type-a',
  ])('ordinary words, quoted texts and addresses stay: %s', (sentence) => expect(dialect.sentence(sentence)).toBe(sentence))

  test('without other words every sentence stays', () => {
    expect(new Dialect({ mediaType: 'a/b' }).sentence("per_page 'avatar_id' /notifications")).toBe(
      "per_page 'avatar_id' /notifications",
    )
  })
})
