import { expect, test } from 'vitest'
import { scriptedTarget } from '../../fixtures/samples/target/scripted-target.ts'
import { readSchema, schemaNames, validatorOf } from '../package/schemas.ts'
import { endpoints } from '../spec/endpoints.ts'
import { Dialect } from './dialect/dialect.ts'
import type { DialectFile } from './dialect/dialect-file.ts'
import { anonymous, bearer } from './exchange/caller.ts'
import { NotSent } from './exchange/no-response.ts'
import type { RequestSpec } from './exchange/request-spec.ts'
import { openClient } from './test-client.ts'

/** Two servers: the target, and one that no request may reach. */
async function servers() {
  const target = await scriptedTarget((_, response) => response.end('[]'))
  const elsewhere = await scriptedTarget((_, response) => response.end('[]'))
  return { target, elsewhere, host: new URL(elsewhere.baseUrl).host }
}

/** Texts that would lead to another server, or break a request, if they were joined to an address as they are. */
const attacksOn = (host: string) => [
  `@${host}/x`,
  `:x@${host}/x`,
  `//${host}/x`,
  `/\\${host}/x`,
  `\\\\${host}/x`,
  `http://${host}/x`,
  `.${host}/x`,
  `:${host.split(':')[1]}/x`,
  '..',
  '/../../x',
  '?x',
  '#x',
  `/a#@${host}/x`,
  `/a\r\nHost: ${host}\r\n\r\nGET /x`,
  `\n@${host}/x`,
  `/${'a'.repeat(400_000)}`,
]

const as = bearer('mona-secret-token', 'owner')

/** The places of a request that take a text from a need or from the configuration. */
const placesOf = (text: string): Partial<RequestSpec>[] => [
  { path: text },
  { path: `/${text}` },
  { params: { username: text }, endpoint: endpoints.userEvents },
  { query: { per_page: text } },
]

/** Each word of a dialect that becomes a part of an address. */
const dialectsWith = (text: string): DialectFile[] => [
  { paths: { '/events': text } },
  { pathWords: { events: text } },
  { queryParameters: { page: text } },
  { probe: `GET ${text}` },
  { authorization: { query: text } },
  { version: { send: 'path', prefix: `${text}{version}` } },
  { version: { send: 'path', names: { '2026-03-10': text } } },
]

test('no text of a need, of the configuration or of a dialect leads a request to another server', async () => {
  const { target, elsewhere, host } = await servers()
  const notSent: unknown[] = []
  const send = async (spec: Partial<RequestSpec>, file: DialectFile = {}) => {
    const dialect = new Dialect(file)
    const client = openClient(target.baseUrl, { dialect, limits: { concurrency: 8, requestsPerSecond: 1e6, timeoutSeconds: 2 } })
    const endpoint = file.probe === undefined ? endpoints.publicEvents : dialect.probe
    await client.send({ endpoint, as, query: { page: 2 }, ...spec }, { once: true }).catch((error) => notSent.push(error))
    await client.close()
  }
  for (const text of attacksOn(host)) {
    for (const spec of placesOf(text)) await send(spec)
    for (const file of dialectsWith(text)) await send({}, file)
  }
  expect(elsewhere.received).toEqual([])
  expect(target.received.length).toBeGreaterThan(50)
  const foreign = notSent.filter((error) => error instanceof NotSent && error.reason.code === 'foreign-address')
  expect(foreign.length).toBeGreaterThan(20)
}, 60_000)

type Shape = Readonly<Record<string, unknown>>

/** The value with a text in place of each of its texts in turn. */
function spoiled(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as Shape).flatMap(([name, member]) =>
    spoiled(member, text).map((other) => (Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other })),
  )
}

const needNames = schemaNames().filter((name) => name.startsWith('needs/'))
const givenIn = (name: string) => (readSchema(name).examples as { given: Shape }[]).map(({ given }) => given)
const addressed = ['path', 'readBack', 'owner', 'repo', 'org', 'login', 'username', 'gist_id', 'followed', 'workflow_id']

/** The examples of a need with a text in place of each path and name. The path of a listing is encoded piece by piece. */
const spoiledNeeds = (name: string, text: string): unknown[] =>
  givenIn(name).flatMap((given) =>
    addressed
      .filter((member) => member in given && name !== 'needs/submodule-listing')
      .flatMap((member) => spoiled(given[member], text).map((other) => ({ given: { ...given, [member]: other } }))),
  )

test('the schemas of needs accept no path and no name that leads elsewhere', () => {
  const attacks = attacksOn('127.0.0.1:9').filter((text) => text.length < 1000)
  const all = needNames.flatMap((name) => attacks.flatMap((text) => spoiledNeeds(name, text).map((value) => ({ name, value }))))
  expect(all.length).toBeGreaterThan(500)
  expect(all.filter(({ name, value }) => validatorOf(name)(value))).toEqual([])
})

test('a whole URL of another server is requested without a token and without extra headers, or not at all', async () => {
  const { target, elsewhere } = await servers()
  const client = openClient(target.baseUrl, { dialect: new Dialect({ extraHeaders: { 'X-Key': 'k' } }) })
  const spec = { endpoint: endpoints.publicEvents, url: `${elsewhere.baseUrl}/file` }
  await expect(client.send({ ...spec, as })).rejects.toThrow('foreign-address')
  expect(elsewhere.received).toEqual([])
  await client.send({ ...spec, as: anonymous })
  expect(elsewhere.received.map(({ headers }) => [headers.authorization, headers['x-key']])).toEqual([[undefined, undefined]])
})
