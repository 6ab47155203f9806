import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { Redactor } from '../../http/redaction/redaction.ts'
import { sampleRecords } from '../../report/testing/sample-run.ts'
import { withholdLeaks, withoutSecrets } from './leaks.ts'

const secret = 'tok_9f"3a/+c07&b2'
const named = new Redactor()
named.add(secret, 'TOKEN_OWNER')

function written(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-conformance-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'report.json'), text)
  return join(folder, 'report.json')
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
])('a file that contains a secret %s is removed', (_, text) => {
  const file = written(`{"body":${text}}`)
  expect(withholdLeaks([file], named)).toEqual([{ file, label: 'TOKEN_OWNER' }])
  expect(existsSync(file)).toBe(false)
})

test('a file that names the token only is kept', () => {
  const file = written('Bearer $TOKEN_OWNER tok_9f')
  expect(withholdLeaks([file], named)).toEqual([])
  expect(existsSync(file)).toBe(true)
})

test('the page is removed when its packed data contains a secret', () => {
  const packed = gzipSync(JSON.stringify({ body: secret })).toString('base64')
  const file = written(`<!doctype html>\n<script type="application/gzip+base64" id="judged">${packed}</script>`)
  expect(withholdLeaks([file], named)).toEqual([{ file, label: 'TOKEN_OWNER' }])
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
