import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SwaggerParser from '@apidevtools/swagger-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generate } from 'openapi-typescript-codegen'
import { describe, expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../package/root.ts'
import { apiVersions } from '../spec/versions.ts'
import { renderOpenApi } from './openapi.ts'

/** A document of its own for a consumer, which may change it. */
function documentOf(version: (typeof apiVersions)[number]) {
  return JSON.parse(JSON.stringify(renderOpenApi(version)))
}

describe.each(apiVersions)('the OpenAPI document of %s', (version) => {
  test(`the document of ${version} is accepted by a validator of the schema`, async () => {
    const { valid, errors } = await new Validator().validate(documentOf(version))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test(`the document of ${version} is accepted by a validator that also resolves references`, async () => {
    expect(await SwaggerParser.validate(documentOf(version))).toMatchObject({ openapi: '3.1.0', info: { version } })
  })
})

/** Uses the generated types: a wrong type of any of these fields would not compile. */
const consumer = `
import type { event, migration, thread } from './generated'
export function summary(events: event[], threads: thread[], exported: migration): string {
  const actor: string | undefined = events[0]?.actor.login
  const unread: boolean | undefined = threads[0]?.unread
  const id: number = exported.id
  // @ts-expect-error the document has no such field
  exported.no_such_field
  return [actor, String(unread), id.toFixed()].join()
}
`

test('a type generator makes types of the document that compile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-conformance-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const input = documentOf('2026-03-10')
  await generate({ input, output: join(folder, 'generated'), exportServices: false, exportCore: false, write: true })
  writeFileSync(join(folder, 'consumer.ts'), consumer)
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--ignoreConfig',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ]
  const tsc = join(packageRoot, 'node_modules', '.bin', 'tsc')
  const { stdout } = await promisify(execFile)(tsc, [...flags, join(folder, 'consumer.ts')]).catch((error) => error)
  expect(stdout).toBe('')
})
