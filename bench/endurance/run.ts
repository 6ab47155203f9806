import { writeEnduranceDocument } from './document.ts'
import { type Figures, keepFigures, keptFigures } from './figures.ts'
import { growthOf, runSlowly } from './one-hour.ts'
import { embeddedRuns, type Repetition, runsOverPoorNetwork } from './repeated-runs.ts'

function optionOf(flag: string): number | undefined {
  const at = process.argv.indexOf(flag)
  return at < 0 ? undefined : Number(process.argv[at + 1])
}

function keep(figures: Figures): void {
  writeEnduranceDocument(keepFigures(figures))
}

function told(what: string, { runs, checks, different }: Repetition): void {
  process.stdout.write(`${what}: ${runs} runs of ${checks} checks, ${different.length} with another outcome\n`)
  for (const each of different) process.stdout.write(`  ${each}\n`)
  if (different.length > 0) process.exitCode = 1
}

// `npm run endurance -- [--runs N] [--poor-network N] [--minutes N]`: each option asks for one measurement. Runs of the same build are
// added to those that were made before, one by one, so that a measurement may be made in pieces and be ended at any time.
const [runs, poor, minutes] = ['--runs', '--poor-network', '--minutes'].map(optionOf)
if (runs !== undefined) {
  for await (const embedded of embeddedRuns(runs, keptFigures().embedded)) {
    keep({ embedded })
    told('embedded', embedded)
  }
}
if (poor !== undefined) {
  for await (const poorNetwork of runsOverPoorNetwork(poor, keptFigures().poorNetwork)) {
    keep({ poorNetwork })
    told('over a poor network', poorNetwork)
  }
}
if (minutes !== undefined) {
  const slow = await runSlowly(minutes)
  keep({ slow })
  const growth = growthOf(slow)
  if (growth !== undefined) process.exitCode = 1
  process.stdout.write(`slow server: ${growth ?? 'no more memory than at full speed'}\n`)
}
keep({})
