import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../package/root.ts'
import type { Change, ChangePart } from './change.ts'
import { changes } from './changes.ts'
import { type Endpoint, endpointLabel } from './endpoint.ts'
import type { Level } from './level.ts'

// The table is made from src/spec/changes.ts: "npx vitest run src/spec/changes-page.test.ts -u" writes it anew.

const page = join(packageRoot, 'docs', 'versioning.md')
const [begin, end] = ['<!-- The table of changes begins. -->', '<!-- The table of changes ends. -->']

test('docs/versioning.md contains the table of changes', async () => {
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error('docs/versioning.md does not mark where the table begins and ends')
  await expect([before, begin, '\n\n', tableOfChanges(), '\n\n', end, after].join('')).toMatchFileSnapshot(page)
})

function tableOfChanges(): string {
  return [
    '| # | change | in force under 2022-11-28 | judged where | left open by the document |',
    '|---|---|---|---|---|',
    ...changes.map(rowOf),
  ].join('\n')
}

function rowOf({ number, what, parts, affects, open }: Change): string {
  return `| ${number} | ${what} | ${parts.flatMap(earlyForms).join('; ')} | ${placesOf(affects)} | ${open ?? ''} |`
}

const consequences: Readonly<Record<Level, string>> = { must: 'fails', should: 'warns' }

function earlyForms(part: ChangePart): string[] {
  return part.early === 'open' ? [] : [`${newForm(part)}: ${consequences[part.early]}`]
}

/** The form of a part that belongs to the newer version alone. */
function newForm(part: ChangePart): string {
  if (part.part === 'field') return part.field === '*' ? 'as few fields' : `no \`${part.field}\``
  if (part.part === 'request') return `\`${part.field}\` refused`
  if (part.part === 'operation') return `\`${part.address}\` gone`
  return `\`${part.newer}\``
}

function placesOf(affects: readonly Endpoint[]): string {
  const declared = affects.filter(({ path }) => path?.startsWith('('))
  const feeds = affects.filter(({ success }) => success[200] === 'event[]')
  const others = affects.filter((endpoint) => !declared.includes(endpoint) && !feeds.includes(endpoint))
  return [
    ...(declared.length > 0 ? [`declared ${declared.map(({ method }) => method).join(', ')}`] : []),
    ...others.map((endpoint) => `\`${endpointLabel(endpoint)}\``),
    ...(feeds.length > 0 ? [`the ${feeds.length} feeds`] : []),
  ].join(', ')
}
