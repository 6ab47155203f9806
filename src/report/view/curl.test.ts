import { describe, expect, test } from 'vitest'
import { Dialect } from '../../http/dialect/dialect.ts'
import type { DialectFile } from '../../http/dialect/dialect-file.ts'
import { toWireRequest } from '../../http/dialect/wire-request.ts'
import { bearer } from '../../http/exchange/caller.ts'
import { Exchange } from '../../http/exchange/exchange.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { curlOf } from './reproduction.ts'

const secret = 'mona-secret-token'

/** The command for a request to a target with this dialect, which answered with all that it was sent. */
function commandFor(file: DialectFile, path?: string) {
  const redactor = new Redactor()
  redactor.add(secret, 'OWNER_TOKEN')
  const dialect = new Dialect(file, (credential, label) => redactor.add(credential, label))
  const as = bearer(secret, 'owner')
  const wire = toWireRequest(
    { endpoint: endpoints.publicEvents, as, ...(path === undefined ? {} : { path }) },
    { dialect, apiVersion: '2026-03-10', baseUrl: 'http://target.test' },
  )
  const body = Buffer.from(JSON.stringify(wire))
  const record = new Exchange(
    'x1',
    { ...wire, endpoint: 'GET /events', as: as.label },
    { status: 200, headers: [], body },
    1,
    dialect,
  ).record(redactor, 10_000)
  expect(JSON.stringify(record)).not.toContain(secret)
  expect(JSON.stringify(record)).not.toContain(Buffer.from(`x-access-token:${secret}`).toString('base64'))
  return curlOf(record)
}

describe('a curl command', () => {
  test.each<[DialectFile['authorization'], string]>([
    [{}, '-H "Authorization: Bearer $OWNER_TOKEN"'],
    [{ scheme: 'token' }, '-H "Authorization: token $OWNER_TOKEN"'],
    [{ header: 'X-Forge-Token' }, '-H "X-Forge-Token: $OWNER_TOKEN"'],
    [{ scheme: 'Basic' }, '-u "x-access-token:$OWNER_TOKEN"'],
    [{ query: 'access_token' }, '"http://target.test/events?access_token=$OWNER_TOKEN"'],
  ])('names the token where the target takes it: %j', (authorization, part) =>
    expect(commandFor({ authorization: authorization ?? {} })).toContain(part),
  )

  test('leaves nothing else to the shell', () => {
    expect(commandFor({ authorization: { query: 'key' } }, '/a`id`$HOME"b')).toContain(
      '"http://target.test/a\\`id\\`\\$HOME\\"b?key=$OWNER_TOKEN"',
    )
    expect(commandFor({}, "/it's")).toContain("'http://target.test/it'\\''s'")
  })
})
