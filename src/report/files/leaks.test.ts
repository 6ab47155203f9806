import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { Redactor } from '../../http/redaction/redaction.ts'
import { sampleRecords } from '../testing/sample-run.ts'
import { leaksIn, withholdRecording, withoutSecrets } from './leaks.ts'
import { writeReports } from './write.ts'

const secret = 'tok_9f"3a/+c07&b2'
const named = new Redactor()
named.add(secret, 'TOKEN_OWNER')

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'service-conformance-test-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

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
  ['cut off', `${secret.slice(0, 12)}…`],
  ['without its beginning', `…${secret.slice(-12)}`],
])('a file that contains a secret %s is reported', (_, text) => {
  const file = { path: 'report.json', text: `{"body":${text}}` }
  expect(leaksIn([file], named)).toEqual([{ file: 'report.json', label: 'TOKEN_OWNER' }])
})

test('a file with the name of the token alone is not reported', () => {
  expect(leaksIn([{ path: 'report.json', text: 'Bearer $TOKEN_OWNER tok_9f' }], named)).toEqual([])
})

test('a report that would contain a secret is never written', () => {
  const records = sampleRecords()
  const [report] = records.reports
  report?.observations.push({ topic: 'a secret', what: secret })
  const directory = folder()
  const leaks = writeReports(directory, records, ['html'], named)
  expect(leaks.map(({ file }) => file)).toEqual([join(directory, '2022-11-28/report.json'), join(directory, 'report.html')])
  expect(readdirSync(directory, { recursive: true }).sort()).toEqual(['2026-03-10', '2026-03-10/report.json', 'run.json'])
})

test.each([
  ['plain', (text: string) => text],
  ['compressed', (text: string) => gzipSync(text)],
])('a %s recording that contains a secret is removed, and another one is kept', (_, packed) => {
  const [leaking, safe] = [join(folder(), 'leaking'), join(folder(), 'safe')]
  writeFileSync(leaking, packed(JSON.stringify({ body: secret })))
  writeFileSync(safe, packed('{}'))
  expect(withholdRecording(leaking, named)).toEqual([{ file: leaking, label: 'TOKEN_OWNER' }])
  expect(withholdRecording(safe, named)).toEqual([])
  expect([leaking, safe].map((file) => existsSync(file))).toEqual([false, true])
})

test('what became known as a secret after it was recorded is taken out of the records, and nothing else changes', () => {
  const late = '?q=x1'
  const redactor = new Redactor()
  redactor.add(late, 'ARCHIVE_ADDRESS')
  const records = sampleRecords()
  const before = JSON.stringify(records)
  expect(before).toContain(late)
  expect(JSON.stringify(withoutSecrets(records, redactor))).toBe(before.replaceAll(late, '$ARCHIVE_ADDRESS'))
})
