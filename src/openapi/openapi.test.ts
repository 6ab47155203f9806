import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { endpointLabel, endpoints } from '../spec/endpoints.ts'
import { permissionRows } from '../spec/permissions/permissions.ts'
import { apiVersions } from '../spec/versions.ts'
import { renderOpenApi } from './openapi.ts'

describe.each(apiVersions)('openapi of %s', (version) => {
  const document = renderOpenApi(version)

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ label: `${method.toUpperCase()} ${path}`, operation })),
  )

  test(`the OpenAPI document of ${version} contains every endpoint whose path the document states, and every row of the matrix`, () => {
    const shown = Object.values(endpoints).filter(({ path }) => path !== null)
    const labels = [...shown, ...permissionRows].map(endpointLabel)
    expect(operations.map(({ label }) => label).sort()).toEqual([...new Set(labels)].sort())
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test(`the OpenAPI document of ${version} is accepted by a validator of its schema and its references`, async () => {
    const copy = JSON.parse(JSON.stringify(document))
    expect(await new Validator().validate(copy)).toEqual({ valid: true })
  })

  test(`the OpenAPI document of ${version} states the permission of every row of the matrix`, () => {
    const stated = operations.flatMap(({ label, operation }) =>
      ((operation['x-permissions'] ?? []) as { owner: string; category: string; access: string; tokens: string[] }[]).map(
        ({ owner, category, access, tokens }) => `${label} ${owner} ${category} ${access} ${tokens}`,
      ),
    )
    const rows = permissionRows.map(
      (row) => `${endpointLabel(row)} ${row.category.owner} ${row.category.slug} ${row.access} ${row.kinds}`,
    )
    expect(stated.sort()).toEqual(rows.sort())
  })

  test(`every reference of the OpenAPI document of ${version} leads to a schema that compiles`, () => {
    const references = [...JSON.stringify(document.paths).matchAll(/#\/components\/schemas\/([^"]+)/g)].map(
      ([, name]) => name as string,
    )
    const names = Object.keys(document.components.schemas)
    expect(references.filter((name) => !names.includes(name))).toEqual([])
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(document, 'document')
    for (const name of new Set(references)) expect(ajv.getSchema(`document#/components/schemas/${name}`)).toBeDefined()
  })
})
