import type { SchemaObject } from 'ajv'
import { expect, test } from 'vitest'
import { scriptedTarget } from '../../fixtures/samples/target/scripted-target.ts'
import type { ReachableConfig } from '../config/config.ts'
import { defineConfig, type WrittenConfig } from '../config/load.ts'
import { Dialect } from '../http/dialect/dialect.ts'
import type { DialectFile } from '../http/dialect/dialect-file.ts'
import { anonymous, bearer } from '../http/exchange/caller.ts'
import { NotSent } from '../http/exchange/no-response.ts'
import type { RequestSpec } from '../http/exchange/request-spec.ts'
import { openClient } from '../http/test-client.ts'
import { readSchema, schemaNames, validatorOf } from '../package/schemas.ts'
import { endpoints } from '../spec/endpoints.ts'
import { atPointer } from '../text/data.ts'
import { UsageError } from '../text/errors.ts'
import { preflight } from './preflight.ts'

/** Two servers: the target, and one that no request may reach. */
async function servers() {
  const target = await scriptedTarget((_, response) => response.end('[]'))
  const elsewhere = await scriptedTarget((_, response) => response.end('[]'))
  return { target, elsewhere, host: new URL(elsewhere.baseUrl).host }
}

/** Texts that would lead to another server, or break a request, if they were joined to an address as they are. */
const attacksOn = (host: string) => [
  `@${host}`,
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

/** The place of a free text in a schema, and a value with a text there. */
type Spoiled = readonly [at: string, value: object]

/** The keys of maps, each of which some map knows. */
const mapKeys = ['/events', 'events', 'page', 'event', 'ETag', 'downloadArchive']

/** The values of a schema with a text at each free text in turn. The other members are those of an example. */
function spoiled(schema: SchemaObject, text: string, root: SchemaObject, example: unknown): Spoiled[] {
  const within = (part: SchemaObject, other = example) => spoiled(part, text, root, other)
  const { $ref, type, anyOf = [], items, required = [], properties, additionalProperties: rest } = schema
  if ($ref) return within(atPointer(root, $ref.slice(1)) as SchemaObject)
  if (type === 'string' && !schema.enum) return [['', text as unknown as object]]
  const others = { ...(example as Record<string, unknown>) }
  const mapped = typeof rest === 'object' ? mapKeys.map((key) => [key, rest]) : []
  const known = [...Object.entries<SchemaObject>(properties ?? {}), ...mapped].filter(([name]) =>
    required.every((one: string) => one === name || one in others),
  )
  const members = known.flatMap(([name, part]) =>
    within(part, others[name]).map(([at, value]) => [`.${name}${at}`, { ...others, [name]: value }]),
  )
  const listed = items ? within(items, [example].flat()[0]).map(([at, value]) => [at, [value]]) : []
  return [...members, ...listed, ...anyOf.flatMap((part: SchemaObject) => within(part))]
}

/** The spoiled values of a schema, beside each of its examples. */
const spoiledBy = (name: string, text: string): Spoiled[] => {
  const schema: SchemaObject = readSchema(name)
  return schema.examples.flatMap((example: unknown) => spoiled(schema, text, schema, example))
}

/** The part of a dialect with its spoiled text. */
function onlyOf(at: string, value: unknown) {
  const part = at.split('.')[1] as keyof DialectFile
  return { [part]: (value as DialectFile)[part] }
}

/** True for a configuration that names the server as its own. */
const namesServer = (at: string, text: string, host: string) => text === `http://${host}/x` && /baseUrl|provider/.test(at)

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
    for (const [at, value] of spoiledBy('dialect', text)) if (!namesServer(at, text, host)) await send({}, onlyOf(at, value))
  }
  expect(elsewhere.received).toEqual([])
  expect(target.received.length).toBeGreaterThan(50)
  const foreign = notSent.filter((error) => error instanceof NotSent && error.reason.code === 'foreign-address')
  expect(foreign.length).toBeGreaterThan(20)
})

/** Texts that are no address, or whose parts are encoded one by one. */
const free =
  /[.](token|secret|kinds|gitFiles|feed|reason|updatedAt|pointer|fork|watchedRepository|name|scopes|method|as|ref)$|^submodule-listing/

test('the schemas of needs accept no path and no name that leads elsewhere', () => {
  const accepted: string[] = []
  for (const name of schemaNames().filter((name) => name.startsWith('needs/')))
    for (const text of attacksOn('127.0.0.1:9').slice(1, -1)) {
      const unfit = spoiledBy(name, text).filter(([, value]) => validatorOf(name)(value))
      accepted.push(...unfit.map(([at]) => name.slice(6) + at))
    }
  expect(accepted.length).toBeGreaterThan(100)
  expect(accepted.filter((at) => !free.test(at))).toEqual([])
})

test('no configuration leads a request or a token to another server, besides the address that it names', async () => {
  const { target, elsewhere, host } = await servers()
  const { baseUrl } = target
  let examined = 0
  for (const text of [...attacksOn(host), `${baseUrl}@${host}/x`, `${baseUrl}\\@${host}/x`])
    for (const [at, value] of spoiledBy('config', text)) {
      if (namesServer(at, text, host)) continue
      const { target: stated, ...others } = value as WrittenConfig
      const { dialect: _, ...own } = { baseUrl, ...stated, ...(at === '.target.baseUrl' ? {} : { baseUrl }) }
      try {
        const config = defineConfig({ ...others, target: own }, { OWNER_TOKEN: 'mona-secret-token' }) as ReachableConfig
        const limits = { ...config.limits, requestsPerSecond: 1e6 }
        await preflight({ ...config, limits }, [], new AbortController().signal)
        examined += 1
      } catch (error) {
        if (!(error instanceof UsageError || error instanceof NotSent)) throw error
      }
    }
  expect(elsewhere.received).toEqual([])
  expect(examined).toBeGreaterThan(50)
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
