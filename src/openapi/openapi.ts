import { readData } from '../package/data-file.ts'
import { suiteIdentity } from '../package/root.ts'
import { readSchema, schemaNames } from '../package/schemas.ts'
import {
  type Endpoint,
  endpointLabel,
  endpoints,
  type Method,
  pathParameters,
} from '../spec/endpoints.ts'
import { type PermissionRow, permissionRows } from '../spec/permissions/permissions.ts'
import type { ApiVersion } from '../spec/versions.ts'

/** Schemas of the suite's own files: they describe no resource of the API. */
const ownSchemas = /^(needs\/|config$|dialect$|report$|run$)/

interface Operation {
  readonly operationId: string
  readonly [member: string]: unknown
}

const texts: {
  readonly info: Readonly<Record<'title' | 'description', string>>
  readonly descriptions: Readonly<Record<number, string>>
  readonly filters: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly bodies: Readonly<Record<string, { readonly required: boolean; readonly schema: object }>>
} = readData('src/openapi/operations.yaml')

/** The endpoints of one version that have a documented path, and the rows of its permission matrix, as OpenAPI 3.1. */
export function renderOpenApi(version: ApiVersion) {
  const described = Object.entries(endpoints).filter(([, { path }]) => path !== null) as [
    string,
    Endpoint & { path: string },
  ][]
  const labels = described.map(([, endpoint]) => endpointLabel(endpoint))
  const operations = [
    ...described.map(([name, endpoint]) => ({
      ...endpoint,
      operation: operation(name, endpoint, version),
    })),
    ...permissionRows
      .filter((row) => !labels.includes(endpointLabel(row)))
      .map((row) => ({ ...row, operation: rowOperation(row, version) })),
  ]
  const names = schemaNames().filter((name) => !ownSchemas.test(name))
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { path, method, operation } of operations)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  return {
    openapi: '3.1.0',
    info: {
      ...texts.info,
      version,
      'x-generated-by': `${suiteIdentity.name} ${suiteIdentity.version}`,
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'http://localhost:3000' } } }],
    security: [{ token: [] }, {}],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(names.map((name) => [name, portable(readSchema(name))])),
    },
  }
}

function operation(name: string, endpoint: Endpoint & { path: string }, version: ApiVersion) {
  const success = Object.entries(endpoint.success).map(([status, schema]) => [
    status,
    responseOf(schema),
  ])
  const others = endpoint.others.map((status) => [
    String(status),
    { description: texts.descriptions[status] ?? 'Refused.' },
  ])
  const queries = Object.entries(texts.filters[name] ?? {}).map(([filter, schema]) =>
    parameter('query', filter, schema),
  )
  const body = texts.bodies[name]
  return {
    operationId: name,
    tags: [endpoint.section.replace(/^Endpoints, /, '')],
    ...permissionsOf(endpoint.method, endpoint.path),
    parameters: [versionHeader(version), ...parametersOf(endpoint), ...queries],
    ...(body
      ? {
          requestBody: {
            required: body.required,
            content: { 'application/json': { schema: body.schema } },
          },
        }
      : {}),
    responses: Object.fromEntries([...success, ...others]),
  }
}

/** An operation of which the document states the permission and neither its request nor its response. */
function rowOperation(row: PermissionRow, version: ApiVersion) {
  const { title, owner } = row.category
  return {
    operationId: row.id,
    tags: ['Permission matrix'],
    description: `Requires the ${owner} permission ${title} (${row.access}). The document states no request body and no response.`,
    ...permissionsOf(row.method, row.path),
    parameters: [
      versionHeader(version),
      ...pathParameters(row.path).map((name) => parameter('path', name, { type: 'string' })),
    ],
    responses: { default: { description: 'Not stated by the document.' } },
  }
}

/** The permissions of one operation, under `x-permissions`; empty if the matrix has no row for it (document: Authentication, Permission matrix (app tokens)). */
function permissionsOf(method: Method, path: string) {
  const rows = permissionRows.filter((row) => row.method === method && row.path === path)
  if (rows.length === 0) return {}
  const grant = ({ category: { owner, slug }, access, kinds }: PermissionRow) => ({
    owner,
    category: slug,
    access,
    tokens: kinds,
  })
  return { 'x-permissions': rows.map(grant) }
}

function responseOf(schema: string | null) {
  if (schema === null) return { description: 'No body.' }
  const array = schema.endsWith('[]')
  const item = { $ref: `#/components/schemas/${schema.replace('[]', '')}` }
  const [example] = (readSchema(schema.replace('[]', '')).examples ?? []) as unknown[]
  const content = array
    ? { schema: { type: 'array', items: item }, example: [example] }
    : { schema: item, example }
  return { description: 'Served.', content: { 'application/json': content } }
}

function versionHeader(version: ApiVersion) {
  return parameter('header', 'X-Service-Api-Version', { type: 'string', const: version })
}

function parametersOf({ path, paging }: Endpoint) {
  const named = pathParameters(path ?? '').map((name) =>
    parameter('path', name, { type: name.endsWith('_id') ? 'integer' : 'string' }),
  )
  if (!paging) return named
  const perPage = { type: 'integer', default: paging.default, maximum: paging.max }
  return [
    ...named,
    parameter('query', 'per_page', perPage),
    parameter('query', 'page', { type: 'integer', default: 1 }),
  ]
}

function parameter(place: 'header' | 'path' | 'query', name: string, schema: object) {
  return { name, in: place, required: place === 'path', schema }
}

/** A schema without its identifiers, with references into the document. */
function portable(schema: object) {
  const withoutIds = JSON.stringify(schema, (key, value) =>
    key === '$schema' || key === '$id' ? undefined : value,
  )
  return JSON.parse(withoutIds, (key, value) =>
    key === '$ref' && !value.startsWith('#') ? `#/components/schemas/${value}` : value,
  )
}
