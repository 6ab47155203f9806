import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cost, cli, measured } from './processes.ts'

/** How many requests each tool sends, each with a check of its status and one of its body by a schema. */
export const requestCount = 500

/** The tools that a user could pick instead, in the versions that are compared. */
const packages = { newman: '6.2.2', '@redocly/cli': '2.77.0' }

/** What is asked: a page of one public event; the schema says what every event has. */
const path = '/users/mona/events/public'
const schema = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: true,
    required: ['id', 'type', 'actor', 'repo', 'public', 'created_at'],
    properties: {
      ...{ id: { type: 'string' }, type: { type: 'string' }, actor: { type: 'object' } },
      ...{ repo: { type: 'object' }, public: { type: 'boolean' }, created_at: { type: 'string' } },
    },
  },
}
const addresses = Array.from({ length: requestCount }, (_, index) => `${path}?per_page=10&page=${1 + (index % 20)}`)

/** A tool with the program that sends the same requests. */
export interface Peer {
  readonly name: string
  readonly run: () => Promise<Cost>
}

/** Installs the peers below `folder` and writes what each of them sends to `baseUrl`. */
export function preparePeers(folder: string, baseUrl: string, config: string): Peer[] {
  mkdirSync(folder, { recursive: true })
  const bin = (name: string) => join(folder, 'node_modules', '.bin', name)
  const result = join(folder, 'newman.json')
  const collection = newmanCollection(folder, baseUrl)
  const workflow = respectWorkflow(folder, baseUrl)
  const newman = ['run', collection, '--reporters', 'json', '--reporter-json-export', result]
  return [
    { name: 'service-conformance', run: () => measured(process.execPath, ownSuite(folder, config)) },
    installed(folder, 'newman', 'newman', () => measured(bin('newman'), newman)),
    installed(folder, '@redocly/cli', '@redocly/cli respect', () =>
      measured(bin('redocly'), ['respect', workflow, '--max-steps', String(requestCount + 1)]),
    ),
  ]
}

/** A tool that is installed when it runs first, and of which nothing is known where that fails. Milliseconds for all of it. */
const installTimeout = 180_000

function installed(folder: string, wanted: keyof typeof packages, title: string, run: Peer['run']): Peer {
  const version = packages[wanted]
  let isThere = false
  const install = () => {
    const options = ['--no-audit', '--no-fund', '--fetch-retries=0', '--prefix', folder]
    const given = { timeout: installTimeout, stdio: 'ignore' } as const
    execFileSync('npm', ['install', ...options, `${wanted}@${version}`], given)
    isThere = true
  }
  return {
    name: `${title} ${version}`,
    run: async () => {
      if (!isThere) install()
      return run()
    },
  }
}

function newmanCollection(folder: string, baseUrl: string): string {
  const script = [
    `const schema = ${JSON.stringify(schema)}`,
    "pm.test('status', () => pm.response.to.have.status(200))",
    "pm.test('schema', () => pm.response.to.have.jsonSchema(schema))",
  ]
  const item = addresses.map((address, index) => ({
    name: `request ${index}`,
    request: { method: 'GET', url: `${baseUrl}${address}` },
    event: [{ listen: 'test', script: { exec: script } }],
  }))
  const info = { name: 'bench', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' }
  return written(folder, 'collection.json', { info, item })
}

function respectWorkflow(folder: string, baseUrl: string): string {
  const page = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } })
  const content = { 'application/json': { schema } }
  const get = {
    operationId: 'events',
    parameters: ['per_page', 'page'].map(page),
    responses: { 200: { description: 'Events', content } },
  }
  written(folder, 'openapi.json', {
    openapi: '3.1.0',
    info: { title: 'bench', version: '1' },
    servers: [{ url: baseUrl }],
    paths: { [path]: { get } },
  })
  const steps = addresses.map((_, index) => ({
    stepId: `step-${index}`,
    operationId: 'events',
    parameters: [
      { in: 'query', name: 'per_page', value: 10 },
      { in: 'query', name: 'page', value: 1 + (index % 20) },
    ],
    successCriteria: [{ condition: '$statusCode == 200' }],
  }))
  return written(folder, 'workflow.arazzo.json', {
    arazzo: '1.0.1',
    info: { title: 'bench', version: '1' },
    sourceDescriptions: [{ name: 'api', type: 'openapi', url: 'openapi.json' }],
    workflows: [{ workflowId: 'all', steps }],
  })
}

/** The same as a suite of one's own; returns the arguments that run it. */
function ownSuite(folder: string, config: string): string[] {
  const library = new URL('../../../dist/src/index.js', import.meta.url).href
  const code = `import { check, suite, reader } from '${library}'
const feed = { section: 'Bench', method: 'GET', path: '${path}', success: { 200: 'bench' }, others: [] }
const claim = (index) => check({ id: 'own.bench.request-' + index, requirement: 'own.bench', level: 'must', title: 'returns events', needs: { reader: reader() },
  run: async (t, { reader }) => { t.expect(await t.send({ endpoint: feed, query: { per_page: 10, page: 1 + (index % 20) }, as: reader })).status(200).matches('bench') } })
export default suite({ area: 'events', endpoint: feed, requirements: [{ id: 'own.bench', section: 'Bench', level: 'must', text: 'Events are returned.' }],
  checks: Array.from({ length: ${requestCount} }, (_, index) => claim(index)) })
`
  writeFileSync(join(folder, 'suite.mjs'), code)
  written(folder, 'bench.schema.json', { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'bench', ...schema })
  const once = ['--api-version', '2022-11-28', '--only', 'own.*']
  return [cli, 'run', '--config', config, ...once, '--format', 'json', '--quiet', '--out', join(folder, 'reports')]
}

function written(folder: string, name: string, value: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}
