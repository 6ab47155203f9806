import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../src/package/root.ts'
import { matrixOf, mermaidOf } from './graph-pictures.ts'
import { cycleIn, folderGraph, loadedWith, packagesOf, projectImports } from './import-graph.ts'

/** The folders from the lowest layer to the highest; each imports only those before it. */
const layers = [
  'src/text',
  'src/package',
  'src/spec',
  'src/record',
  'src/http',
  'src/suite',
  'suites',
  'src/config',
  'src/gate',
  'src/run',
  'src/report',
  'src/openapi',
  'src/doctor',
  'src/watch',
  'fixtures/reference',
  'src/commands',
  'src/library',
  'src/index.ts',
  'src/vitest.ts',
  'src/cli.ts',
  'fixtures/samples',
  'fixtures/proof',
  'bench',
]

const layerOf = (file: string) => layers.find((layer) => file === layer || file.startsWith(`${layer}/`)) ?? file
const imports = projectImports()
const graph = folderGraph(imports, layerOf)

describe('the folders', () => {
  test('are all known to the list of layers', () => {
    expect([...graph.keys()].filter((folder) => !layers.includes(folder))).toEqual([])
  })

  test('import only folders of lower layers', () => {
    const upwards = [...graph].flatMap(([from, row]) =>
      [...row.keys()].filter((to) => layers.indexOf(to) > layers.indexOf(from)).map((to) => `${from} → ${to}`),
    )
    expect(upwards).toEqual([])
  })

  test('form no cycle, nor do the areas of the suites', () => {
    const area = (file: string) => /^suites\/[^/]+(?=\/)/.exec(file)?.[0] ?? layerOf(file)
    expect(cycleIn(folderGraph(imports, area))).toBeUndefined()
  })

  test('would be reported if they formed a cycle', () => {
    const back = [...imports, { from: 'src/text/show.ts', to: 'src/report/read.ts' }]
    expect(cycleIn(folderGraph(back, layerOf))).toContain('src/report')
  })
})

describe('nothing that judges or sends is loaded', () => {
  test.each([
    ['for help', 'src/commands/program.ts'],
    ['to list what the suite consists of', 'src/commands/actions/list.ts'],
    ['together with the suites', 'suites/index.ts'],
    ['with the library', 'src/index.ts'],
  ])('%s', (_, file) => {
    const packages = [...loadedWith(file)].flatMap(packagesOf)
    expect(packages.filter((name) => /^(undici|vitest)\b/.test(name))).toEqual([])
  })
})

describe('docs/architecture.md shows the folders as they are ("npm run graph" draws them anew)', () => {
  const docs = join(packageRoot, 'docs')

  test('as a flowchart', async () => {
    const page = readFileSync(join(docs, 'architecture.md'), 'utf8')
    const drawn = page.replace(
      /```mermaid\n.*?\n```/s,
      () =>
        `\`\`\`mermaid\n${mermaidOf(
          graph,
          layers.filter((layer) => graph.has(layer)),
        )}\n\`\`\``,
    )
    await expect(drawn).toMatchFileSnapshot(join(docs, 'architecture.md'))
  })

  test('as a matrix', async () => {
    await expect(
      matrixOf(
        graph,
        layers.filter((layer) => graph.has(layer)),
      ),
    ).toMatchFileSnapshot(join(docs, 'architecture.svg'))
  })
})
