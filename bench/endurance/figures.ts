import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package/root.ts'
import type { MemoryFigures } from './one-hour.ts'
import type { Repetition } from './repeated-runs.ts'

const file = join(packageRoot, 'bench/endurance/figures.json')

/** The figures that are kept, by the measurement. */
export interface Figures {
  readonly embedded?: Repetition
  readonly poorNetwork?: Repetition
  readonly slow?: { readonly slow: MemoryFigures; readonly fast: MemoryFigures }
}

/** The figures that are kept. */
export function keptFigures(): Figures {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Keeps the figures of a measurement in place of its former ones; all that are kept. */
export function keepFigures(made: Figures): Figures {
  const all = { ...keptFigures(), ...made }
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`)
  return all
}
