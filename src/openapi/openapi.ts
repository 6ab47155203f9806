import { suiteIdentity } from '../package/root.ts'
import { readSchema, schemaNames } from '../package/schemas.ts'
import { type Endpoint, endpointLabel, endpoints, pathParameters } from '../spec/endpoints.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { permissionsOf, rowOperation, rowsBeside } from './matrix.ts'

/** Schemas of the suite's own files: they describe no resource of the API. */
const ownSchemas = /^(needs\/|config$|dialect$|recording$|report$|run$)/

/**
 * The covered API of one version as OpenAPI 3.1: the endpoints that the document describes, and the rows of its permission matrix,
 * of which it states no more than the permission. An endpoint without a documented path is left out.
 */
export function renderOpenApi(version: ApiVersion) {
  const described = Object.entries(endpoints).filter(([, { path }]) => path !== null) as [string, Endpoint & { path: string }][]
  const labels = new Set(described.map(([, endpoint]) => endpointLabel(endpoint)))
  const operations = [
    ...described.map(([name, endpoint]) => ({ ...endpoint, operation: operation(name, endpoint, version) })),
    ...rowsBeside(labels).map((row) => ({ ...row, operation: rowOperation(row, versionHeader(version)) })),
  ]
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Activity feeds, notifications and user migrations',
      version,
      description: 'Event feeds, notifications and user migrations, as the conformance suite judges them.',
      'x-generated-by': `${suiteIdentity.name} ${suiteIdentity.version}`,
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'http://localhost:3000' } } }],
    security: [{ token: [] }, {}],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: componentsOf(),
    },
  }
}

/** An operation of the document that is rendered. */
interface Operation {
  readonly operationId: string
  readonly [member: string]: unknown
}

function operation(name: string, endpoint: Endpoint & { path: string }, version: ApiVersion): Operation {
  const success = Object.entries(endpoint.success).map(([status, schema]) => [status, responseOf(schema)])
  const others = endpoint.others.map((status) => [String(status), { description: descriptions[status] ?? 'Refused.' }])
  const takesBody = bodies[name]
  return {
    operationId: name,
    tags: [endpoint.section.replace(/^Endpoints, /, '')],
    ...permissionsOf(endpoint.method, endpoint.path),
    parameters: [versionHeader(version), ...parametersOf(endpoint), ...(filters[name] ?? [])],
    ...(takesBody
      ? { requestBody: { required: takesBody.required, content: { 'application/json': { schema: takesBody.schema } } } }
      : {}),
    responses: Object.fromEntries([...success, ...others]),
  }
}

const descriptions: Readonly<Record<number, string>> = {
  301: 'Moved permanently.',
  304: 'Not modified.',
  401: 'Requires authentication.',
  403: 'Forbidden.',
  404: 'Resource not found.',
  422: 'Validation failed, or the endpoint has been spammed.',
  503: 'Service unavailable.',
}

function responseOf(schema: string | null) {
  if (schema === null) return { description: 'No body.' }
  const array = schema.endsWith('[]')
  const item = { $ref: `#/components/schemas/${schema.replace('[]', '')}` }
  const [example] = (readSchema(schema.replace('[]', '')).examples ?? []) as unknown[]
  const content = array ? { schema: { type: 'array', items: item }, example: [example] } : { schema: item, example }
  return { description: 'Served.', content: { 'application/json': content } }
}

function versionHeader(version: ApiVersion) {
  return { name: 'X-Service-Api-Version', in: 'header', required: false, schema: { type: 'string', const: version } }
}

function parametersOf({ path, paging }: Endpoint) {
  const named = pathParameters(path ?? '').map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name.endsWith('_id') ? 'integer' : 'string' },
  }))
  if (!paging) return named
  const query = (name: string, schema: object) => ({ name, in: 'query', required: false, schema: { type: 'integer', ...schema } })
  return [...named, query('per_page', { default: paging.default, maximum: paging.max }), query('page', { default: 1 })]
}

const flag = (name: string) => ({ name, in: 'query', required: false, schema: { type: 'boolean', default: false } })
const moment = (name: string) => ({ name, in: 'query', required: false, schema: { $ref: '#/components/schemas/timestamp' } })
const listFilters = [flag('all'), flag('participating'), moment('since'), moment('before')]

/** Query parameters beside paging (section Endpoints, Notifications and User migrations). */
const filters: Readonly<Record<string, readonly object[]>> = {
  listNotifications: listFilters,
  listRepositoryNotifications: listFilters,
  getMigration: [{ name: 'exclude', in: 'query', required: false, schema: { type: 'array', items: { type: 'string' } } }],
}

const marked = { type: 'object', properties: { last_read_at: { $ref: '#/components/schemas/timestamp' } } }

/** Request bodies (section Endpoints). */
const bodies: Readonly<Record<string, { required: boolean; schema: object }>> = {
  markNotificationsRead: {
    required: false,
    schema: { ...marked, properties: { ...marked.properties, read: { type: 'boolean' } } },
  },
  markRepositoryNotificationsRead: { required: false, schema: marked },
  setSubscription: { required: false, schema: { type: 'object', properties: { ignored: { type: 'boolean', default: false } } } },
  startMigration: { required: true, schema: { $ref: '#/components/schemas/migration-request' } },
}

function componentsOf(): Record<string, unknown> {
  const names = schemaNames()
  return Object.fromEntries(names.filter((name) => !ownSchemas.test(name)).map((name) => [name, portable(readSchema(name))]))
}

/** A schema without identifiers of its own, its references pointing into the document. */
function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([key]) => key !== '$schema' && key !== '$id')
  return Object.fromEntries(
    members.map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string' && !member.startsWith('#')
        ? `#/components/schemas/${member}`
        : portable(member),
    ]),
  )
}
