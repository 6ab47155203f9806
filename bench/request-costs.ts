import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { costsOf } from '../src/doctor/request-costs.ts'
import { packageRoot } from '../src/package/root.ts'
import { readRun } from '../src/report/read.ts'

// Writes src/doctor/request-costs.json from the records of a run against the reference server.
const { run, reports } = readRun(process.argv[2] ?? 'reports')
const costs: Record<string, Record<string, number>> = {}
for (const { checks, exchanges } of [...reports, run.crossVersion]) {
  for (const [id, measured] of Object.entries(costsOf(checks, exchanges))) {
    const known = costs[id] ?? {}
    for (const [endpoint, count] of Object.entries(measured)) known[endpoint] = Math.max(known[endpoint] ?? 0, count)
    costs[id] = known
  }
}
const entries = Object.entries(costs).filter(([, measured]) => Object.keys(measured).length > 0)
const lines = entries
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([id, measured]) => `  ${JSON.stringify(id)}: ${JSON.stringify(measured)}`)
writeFileSync(join(packageRoot, 'src', 'doctor', 'request-costs.json'), `{\n${lines.join(',\n')}\n}\n`)
