import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../src/package/root.ts'

/** One line of code where it may not stand, and what the linter must say of it. */
type Planted = readonly [file: string, line: string, says: string]

const imports = (specifier: string) => `export { planted } from '${specifier}'`
const network = 'Only src/http opens connections: use its Client'
const engine = 'Only tests know vitest: use startEngine'
const entries = 'Only the entries load the suites'
const server = 'The honest server decides by its own rules'

const refused: readonly Planted[] = [
  ['src/text/a.ts', imports('../package/root.ts'), 'src/text is the lowest layer'],
  ['src/package/a.ts', imports('../spec/versions.ts'), 'src/package finds the files'],
  ['src/spec/a.ts', imports('../record/outcome.ts'), 'src/spec states the document as data'],
  ['src/record/a.ts', imports('../http/client.ts'), 'src/record declares what a run leaves'],
  ['src/http/a.ts', imports('../suite/untested.ts'), 'throw NotSent or NoAnswer'],
  ['src/suite/a.ts', imports('../config/config.ts'), 'offer it through CheckContext'],
  ['src/config/a.ts', imports('../gate/gate.ts'), 'src/config reads the configuration'],
  ['src/gate/a.ts', imports('../run/run.ts'), 'src/gate decides on records alone'],
  ['src/run/judge/a.ts', imports('../../report/write.ts'), 'src/run judges and returns records'],
  ['src/run/b.ts', imports('../../suites/index.ts'), 'suites come as an argument'],
  ['src/report/formats/a.ts', imports('../../doctor/probes.ts'), 'take records as an argument'],
  ['src/openapi/a.ts', imports('../report/read.ts'), 'add what is missing to src/spec'],
  ['src/library/a.ts', imports('../commands/program.ts'), 'The library prints nothing'],
  ['src/doctor/a.ts', imports('../commands/program.ts'), 'return findings, which src/commands prints'],
  ['src/watch/a.ts', imports('../doctor/probes.ts'), 'take what judges and prints as a port'],
  ['src/commands/actions/a.ts', imports('../../../suites/index.ts'), entries],
  ['src/commands/b.ts', imports('../../fixtures/proof/prove.ts'), 'fixtures/proof and fixtures/samples are not shipped'],
  ['src/commands/c.ts', "export const planted = import('../../suites/index.ts')", entries],
  ['src/run/needs/c.ts', imports('undici'), network],
  ['src/doctor/c.ts', imports('node:tls'), network],
  ['src/commands/d.ts', imports('node:net'), network],
  ['suites/events/c.ts', imports('node:http'), network],
  ['src/run/d.ts', imports('vitest/node'), engine],
  ['suites/events/d.ts', imports('vitest'), engine],
  ['src/run/engine/d.ts', imports('vitest/node'), engine],
  ['suites/events/e.ts', imports('../../src/report/write.ts'), 'A check uses the vocabulary of src/suite alone'],
  ['suites/events/f.ts', imports('../../src/run/selection.ts'), 'A check uses the vocabulary of src/suite alone'],
  ['fixtures/reference/server/a.ts', imports('../../../src/spec/endpoint.ts'), server],
  ['fixtures/reference/server/b.ts', "export type { Area } from '../../../src/spec/endpoint.ts'", server],
  ['fixtures/reference/server/events/c.ts', imports('../../../../suites/index.ts'), server],
  ['src/gate/b.ts', 'export const planted = (value: any) => value', 'Unexpected any'],
  ['src/gate/here.ts', "export type { There } from './there.ts'\nexport type Here = 1", 'part of a cycle'],
  ['src/gate/there.ts', "export type { Here } from './here.ts'\nexport type There = 2", 'part of a cycle'],
]

const accepted: readonly (readonly [file: string, line: string])[] = [
  ['src/http/ok.ts', imports('undici')],
  ['src/cli.ts', "export const planted = import('../suites/index.ts')"],
  ['src/run/engine/entry.ts', imports('../../../suites/index.ts')],
  ['src/commands/ok.ts', imports('../../fixtures/reference/server/start.ts')],
  ['suites/events/ok.ts', imports('../../src/suite/check.ts')],
  ['fixtures/reference/server/ok.ts', "export type { Config } from '../../../src/config/config.ts'"],
  ['src/watch/ok.test.ts', imports('node:net')],
]

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-lint-'))
const found = new Map<string, string[]>()

beforeAll(() => {
  copyFileSync(join(packageRoot, 'biome.jsonc'), join(folder, 'biome.jsonc'))
  for (const [file, line] of [...refused, ...accepted]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${line}\n`)
  }
  for (const { file, message } of diagnostics()) found.set(file, [...(found.get(file) ?? []), message])
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What the linter says of the planted files. */
function diagnostics(): { file: string; message: string }[] {
  const biome = join(packageRoot, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const words = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.']
  const report = JSON.parse(outputOf(words)) as { diagnostics: { location: { path: string }; message: string }[] }
  return report.diagnostics.map(({ location, message }) => ({ file: location.path, message }))
}

function outputOf(words: readonly string[]): string {
  try {
    return execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    // It ends with 1 where it finds something.
    return (error as { stdout: string }).stdout
  }
}

describe('the linter refuses', () => {
  test.each(refused)('in %s: %s', (file, _, says) => {
    expect(found.get(file)?.join('\n')).toContain(says)
  })
})

describe('the linter accepts', () => {
  test.each(accepted)('in %s: %s', (file) => expect(found.get(file)).toBeUndefined())
})
