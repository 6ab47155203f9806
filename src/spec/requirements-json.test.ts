import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../package/root.ts'

const folder = join(packageRoot, 'src', 'spec', 'requirements')

test('requirements.json states what the files of requirements state (vitest run src/spec -u writes it anew)', async () => {
  const files = readdirSync(folder).sort()
  const stated = files.flatMap((file): unknown[] => parse(readFileSync(join(folder, file), 'utf8')))
  const lines = stated.map((requirement) => JSON.stringify(requirement))
  await expect(`[\n${lines.join(',\n')}\n]\n`).toMatchFileSnapshot(join(packageRoot, 'src', 'spec', 'requirements.json'))
})
