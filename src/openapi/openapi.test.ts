import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../spec/endpoints.ts'
import { apiVersions } from '../spec/versions.ts'
import { renderOpenApi } from './openapi.ts'

describe.each(apiVersions)('openapi of %s', (version) => {
  const document = renderOpenApi(version)

  test(`the OpenAPI document of ${version} contains every endpoint whose path the document states`, () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as { operationId: string }[])
    const shown = Object.entries(endpoints).filter(([, { path }]) => path !== null)
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(shown.map(([name]) => name).sort())
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
