// Freezes the requirements of the release that is being made: run once, when its version is set in package.json.
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentRelease, freeze } from '../dist/src/run/releases.js'
import { suites } from '../dist/suites/index.js'

const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'spec', 'releases', `${currentRelease}.json`)
if (existsSync(file)) throw new Error(`${file} exists: a release is frozen once`)
const lines = Object.entries(freeze(suites)).map(
  ([operation, checks]) => `${JSON.stringify(operation)}:${JSON.stringify(checks)}`,
)
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
process.stdout.write(`${file}\n`)
