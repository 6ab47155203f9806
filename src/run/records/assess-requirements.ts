import type { CheckRecord } from '../../record/check-record.ts'
import { worstFirst } from '../../record/reason.ts'
import type { Report, RequirementRecord } from '../../record/run-record.ts'
import { judgedBy, type Requirement } from '../../spec/requirements.ts'
import type { ApiVersion } from '../../spec/versions.ts'

/** The status of each requirement of a version: the worst outcome of its checks. */
export function assessRequirements(
  requirements: readonly Requirement[],
  checks: readonly CheckRecord[],
  version: ApiVersion,
): RequirementRecord[] {
  return requirements
    .filter((requirement) => requirement.versions?.includes(version) ?? true)
    .map((requirement) => {
      const judging = checks.filter(({ id }) => judgedBy(requirement, id))
      const worst = worstFirst.find((outcome) => judging.some((check) => check.outcome === outcome))
      const status = worst ?? (requirement.excluded === undefined ? 'unjudged' : 'excluded')
      return {
        id: requirement.id,
        level: requirement.level,
        checks: judging.map(({ id }) => id),
        status,
      }
    })
}

/** The report with its requirements assessed, the checks across versions included. */
export function withRequirements(
  report: Report,
  across: readonly CheckRecord[],
  requirements: readonly Requirement[],
): Report {
  return {
    ...report,
    requirements: assessRequirements(
      requirements,
      [...report.checks, ...across],
      report.apiVersion,
    ),
  }
}
