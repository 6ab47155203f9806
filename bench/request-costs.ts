import { writeFileSync } from 'node:fs'
import { costsFile, costsOf, writeCosts } from '../src/doctor/request-costs.ts'
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
writeFileSync(costsFile, writeCosts(costs))
