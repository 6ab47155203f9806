import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package/root.ts'

const file = join(packageRoot, 'bench/endurance/figures.json')

/** The figures that are kept, by the measurement. */
export function figuresKept(): Record<string, unknown> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Keeps the figures of one measurement in place of its former ones. */
export function keepFigures(measurement: string, figures: object): void {
  writeFileSync(file, `${JSON.stringify({ ...figuresKept(), [measurement]: figures }, null, 1)}\n`)
}
