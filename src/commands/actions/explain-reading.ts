import type { Reading } from '../../spec/readings.ts'
import { readingsOf } from '../../spec/readings.ts'
import type { Suite } from '../../suite/check.ts'
import { counted } from '../../text/format.ts'
import type { ExplainOptions } from './explain.ts'
import { renderJson } from './table.ts'

/** Checks that are named at most; `--json` names all. */
const shownChecks = 12

/** One reading: what the document leaves open, how it is judged, what is still caught, and the checks that it bears on. */
export function explainReading(reading: Reading, { json }: ExplainOptions, suites: readonly Suite[]): string {
  const checks = checksOf(reading, suites)
  return json ? renderJson({ ...reading, checks }) : `${lines(reading, checks).join('\n')}\n`
}

function checksOf({ id }: Reading, suites: readonly Suite[]): string[] {
  return suites
    .flatMap(({ checks }) => checks)
    .filter((check) => readingsOf(check.id, [check.requirement]).some((reading) => reading.id === id))
    .map((check) => check.id)
}

function lines({ id, section, open, judged, caught, uncited }: Reading, checks: readonly string[]): string[] {
  const left = checks.length - shownChecks
  return [
    `${id} (${section})`,
    `  left open    ${open}`,
    `  judged       ${judged}`,
    ...(caught === undefined ? [] : [`  caught       ${caught}`]),
    ...(uncited === undefined ? [] : [`  no check     ${uncited}`]),
    ...(checks.length === 0 ? [] : [`  bears on     ${counted(checks.length, 'check')}`]),
    ...checks.slice(0, shownChecks).map((check) => `               ${check}`),
    ...(left > 0 ? [`               … and ${left} more`] : []),
  ]
}
