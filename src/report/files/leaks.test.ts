import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { sampleRecords, unpackedText } from '../../../fixtures/samples/run/records.ts'
import { keepReadable } from '../../http/redaction/own-words.ts'
import { knownSecrets } from '../../http/redaction/redaction.ts'
import { formatNames } from '../../report/formats/format-names.ts'
import { cleaned, writeReports } from './write.ts'

const secret = 'tok_9f"3a/+c07&b2'

beforeEach(() => {
  knownSecrets.clear()
  keepReadable('')
  knownSecrets.add(secret, 'OWNER_TOKEN')
})

const { at } = temporaryFolder('leaks')
const folder = () => mkdtempSync(at('reports-'))

test.each([
  ['as it is', secret],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in the base64 of a longer text', Buffer.from(`user:${secret}!`).toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
  ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
  ['in a URL', encodeURIComponent(secret)],
  ['in HTML', secret.replace('&', '&amp;').replace('"', '&quot;')],
  ['in JSON', JSON.stringify(secret)],
  ['reversed', [...secret].reverse().join('')],
])('a secret in a file is replaced %s, and reported', (_, text) => {
  const { file, leak } = cleaned({ path: 'summary.md', text: `one\nbefore ${text} after` })
  expect(leak).toEqual({ file: 'summary.md', label: 'OWNER_TOKEN', withheld: false })
  expect(file.text).toContain('$OWNER_TOKEN')
  expect(cleaned(file).leak).toBeUndefined()
})

test('a file with the name of the token alone is not changed', () => {
  const file = { path: 'report.json', text: '"Bearer $OWNER_TOKEN tok_9f"' }
  expect(cleaned(file)).toEqual({ file })
})

test('a report of JSON is withheld only where the replacement damages it', () => {
  const damaged = '{"a":1,"q7f3a":2}'
  knownSecrets.add(':1,"q7f3a":', 'TOKEN_ODD')
  expect(cleaned({ path: 'report.json', text: damaged }).leak?.withheld).toBe(true)
  expect(cleaned({ path: 'summary.md', text: damaged }).leak?.withheld).toBe(false)
})

test('no word of a report is hidden, although it is a secret', () => {
  keepReadable('"outcome" passed failed')
  for (const word of ['"outcome"', 'passed!!', 'failed']) knownSecrets.add(word, 'TOKEN_WORD')
  const directory = folder()
  expect(writeReports(directory, sampleRecords(), [...formatNames])).toEqual([])
  expect(readFileSync(join(directory, 'run.json'), 'utf8')).not.toContain('TOKEN_WORD')
})

test('a secret in a record is replaced, and every report is written', () => {
  const records = sampleRecords()
  const [report] = records.reports
  report?.observations.push({ topic: 'a secret', what: secret })
  const directory = folder()
  const leaks = writeReports(directory, records, ['html'])
  expect(leaks.map(({ file, withheld }) => [file, withheld])).toEqual(
    ['2022-11-28/report.json'].map((path) => [join(directory, path), false]),
  )
  const page = unpackedText(readFileSync(join(directory, 'report.html'), 'utf8'))
  expect([page.includes('a secret'), page.includes(secret)]).toEqual([true, false])
  expect(readdirSync(directory, { recursive: true }).sort()).toEqual(
    ['2022-11-28', '2022-11-28/report.json', '2026-03-10', '2026-03-10/report.json', 'report.html', 'run.json'].sort(),
  )
  expect(writeReports(directory, knownSecrets.redactJson(records), ['html'])).toEqual([])
})

test('a secret that became known late is taken out of the records, and nothing else changes', () => {
  const late = '?q=late-7f3a'
  knownSecrets.add(late, 'ARCHIVE_ADDRESS')
  const before = JSON.stringify(sampleRecords()).replaceAll('?q=x1', late)
  expect(before).toContain(late)
  expect(JSON.stringify(knownSecrets.redactJson(JSON.parse(before)))).toBe(before.replaceAll(late, '$ARCHIVE_ADDRESS'))
})
