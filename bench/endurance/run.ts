import { keepFigures } from './figures.ts'
import { runSlowly } from './one-hour.ts'
import { embeddedRuns, type Repetition, runsOverPoorNetwork } from './repeated-runs.ts'

function optionOf(flag: string): number | undefined {
  const at = process.argv.indexOf(flag)
  return at < 0 ? undefined : Number(process.argv[at + 1])
}

function told(measurement: string, made: Repetition): void {
  keepFigures(measurement, made)
  process.stdout.write(
    `${measurement}: ${made.runs} runs of ${made.checks} checks, ${made.different.length} with another outcome\n`,
  )
  for (const each of made.different) process.stdout.write(`  ${each}\n`)
  if (made.different.length > 0) process.exitCode = 1
}

const [minutes, runs, poor] = ['--minutes', '--runs', '--poor-network'].map(optionOf)
if (runs !== undefined) told('embedded', await embeddedRuns(runs))
if (poor !== undefined) told('poor network', await runsOverPoorNetwork(poor))
if (minutes !== undefined) await runSlowly(minutes)
