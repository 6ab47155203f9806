import type { CheckRecord } from '../../record/check-record.ts'
import type { Outcome } from '../../record/outcome.ts'
import type { Report, RequirementRecord } from '../../record/version-report.ts'
import { judgedBy, type Requirement, requirements } from '../../spec/requirements.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import { groupBy } from '../../text/data.ts'

/** From the outcome that decides a requirement to the one that says least. */
const worstFirst: readonly Outcome[] = ['failed', 'errored', 'warned', 'waived', 'untested', 'passed', 'inapplicable']

const known = new Map<string, { readonly among: number; readonly found: readonly Requirement[] }>()

/** The requirements that a check judges; found anew when requirements were added. */
function requirementsOf(check: string): readonly Requirement[] {
  const before = known.get(check)
  if (before?.among === requirements.length) return before.found
  const found = requirements.filter((requirement) => judgedBy(requirement, check))
  known.set(check, { among: requirements.length, found })
  return found
}

/** How far each requirement of a version is judged: by the worst outcome of its checks. */
export function assessRequirements(checks: readonly CheckRecord[], version: ApiVersion): RequirementRecord[] {
  const judgements = groupBy(
    checks.flatMap((check) => requirementsOf(check.id).map((requirement) => ({ requirement, check }))),
    ({ requirement }) => requirement,
  )
  return requirements
    .filter((requirement) => requirement.versions?.includes(version) ?? true)
    .map((requirement) => {
      const judging = (judgements.get(requirement) ?? []).map(({ check }) => check)
      const worst = worstFirst.find((outcome) => judging.some((check) => check.outcome === outcome))
      const status = worst ?? (requirement.excluded === undefined ? 'unjudged' : 'excluded')
      return { id: requirement.id, level: requirement.level, checks: judging.map(({ id }) => id), status }
    })
}

/** The report with its requirements assessed, the checks across versions included. */
export function withRequirements(report: Report, across: readonly CheckRecord[]): Report {
  return { ...report, requirements: assessRequirements([...report.checks, ...across], report.apiVersion) }
}
