import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../src/package/root.ts'

const page = join(packageRoot, 'docs', 'benchmarks.md')

/** Replaces the part of `docs/benchmarks.md` between its two marks by a text, and prints that. Throws when the page has no such part. */
export function writePart(part: 'costs' | 'outcomes', text: string): void {
  const [begin, end] = [`<!-- begin ${part} -->`, `<!-- end ${part} -->`]
  const before = readFileSync(page, 'utf8')
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no part between "${begin}" and "${end}"`)
  writeFileSync(page, `${before.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${before.slice(to)}`)
  process.stdout.write(`${text.trim()}\n`)
}

/** What was measured on, in one sentence. */
export function machine(): string {
  const load = loadavg()[0]?.toFixed(1)
  return `Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${mebibytes(totalmem())}, Node ${process.versions.node}, ${process.platform}; load average at the end ${load}.`
}

export function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

export function table(head: string[], rows: readonly string[]): string {
  return [row(...head), row(...head.map(() => '---')), ...rows].join('\n')
}

export function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`
}

export function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? 'unknown' : `${Math.round(bytes / 1024 ** 2)} MiB`
}
