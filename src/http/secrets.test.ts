import { expect, test } from 'vitest'
import { closedPort, json, scriptedTarget } from '../../fixtures/samples/target/scripted-target.ts'
import { endpoints } from '../spec/endpoints.ts'
import { Dialect } from './dialect/dialect.ts'
import { bearer } from './exchange/caller.ts'
import { Redactor } from './redaction/redaction.ts'
import { openClient } from './test-client.ts'

const dialect = new Dialect({ authorization: { query: 'access_token' } })
const spec = { endpoint: endpoints.publicEvents, as: bearer('mona-secret-token', 'owner') }

test('a token in the query appears in no message about a target that does not respond', async () => {
  const client = openClient(await closedPort(), { dialect })
  await expect(client.send(spec)).rejects.toThrow(/access_token=\$OWNER_TOKEN/)
  await expect(client.send(spec)).rejects.not.toThrow(/mona-secret/)
})

test('a token in the query appears in no record, even when it is too short to be replaced wherever it occurs', async () => {
  const { baseUrl, received } = await scriptedTarget((_, response) => json(response, 200, []))
  const exchange = await openClient(baseUrl, { dialect }).send({ ...spec, as: bearer('abc', 'owner') })
  expect(received[0]?.url).toBe('/events?access_token=abc')
  expect(exchange.record(new Redactor(), 100).request.url).toBe(`${baseUrl}/events?access_token=$OWNER_TOKEN`)
})
