import { randomUUID } from 'node:crypto'
import type { ReachableConfig } from '../../config/config.ts'
import { effectiveDialect } from '../../config/effective-dialect.ts'
import { diagnoseNeeds, type NeedDiagnosis } from '../../doctor/diagnosis.ts'
import { type ProbeResult, probeTls, probeToken, probeVersion } from '../../doctor/probes.ts'
import { Redactor } from '../../http/redaction.ts'
import { openSession } from '../../run/judge/session.ts'
import { callersOf } from '../../run/needs/tokens.ts'
import type { PlacedCheck } from '../../run/selection.ts'
import type { Suite } from '../../suite/check.ts'
import { printable } from '../../text/show.ts'
import { renderJson } from './table.ts'
import { chosenChecks, effectiveConfig, type TargetOptions, withTarget } from './target.ts'

/** The options of `doctor`. */
export interface DoctorOptions extends TargetOptions {
  json?: boolean | undefined
}

/** What was found out about a target. */
interface Examination {
  /** The words of the target, as they take effect. */
  readonly dialect: readonly string[]
  readonly findings: readonly ProbeResult[]
  readonly needs: NeedDiagnosis
  /** The target answers under none of the versions. */
  readonly unreachable: boolean
}

/** Gaps whose checks are counted but whose entry is not printed. */
const shownGaps = 30

/** Looks whether target, tokens, provider and needs are in order. Exit code 0: all is; 1: something is missing; 3: the target is not there. */
export async function doctorCommand(options: DoctorOptions, suites: readonly Suite[]): Promise<{ text: string; code: number }> {
  const config = effectiveConfig(options, suites)
  const selection = chosenChecks(config, options, suites)
  const examined = await withTarget(config, (reachable) => examine(reachable, selection))
  const { dialect, findings, needs } = examined
  const text = options.json ? renderJson({ dialect, findings, ...needs }) : render(examined, selection.length)
  return { text, code: codeOf(examined) }
}

function codeOf({ findings, needs, unreachable }: Examination): number {
  if (unreachable) return 3
  return needs.gaps.length > 0 || findings.some(({ state }) => state === 'trouble') ? 1 : 0
}

async function examine(config: ReachableConfig, selection: readonly PlacedCheck[]): Promise<Examination> {
  const run = randomUUID()
  const findings = [await probeTls(config.target.baseUrl)]
  let needs: NeedDiagnosis = { met: [], unknown: [], gaps: [] }
  for (const [index, apiVersion] of config.versions.entries()) {
    const session = await openSession(config, apiVersion, { run })
    const version = await probeVersion(session)
    findings.push(version)
    if (index === 0 && version.state !== 'trouble') {
      for (const caller of callersOf(config.tokens, new Redactor())) findings.push(await probeToken(session, caller))
      needs = await diagnoseNeeds(selection, session, config.provider !== undefined)
    }
    const warning = await session.release()
    if (warning !== undefined && !findings.some(({ about }) => about === 'provider'))
      findings.push({ about: 'provider', what: 'provider', state: 'trouble', says: warning })
  }
  const unreachable = findings.filter(({ about }) => about === 'version').every(({ state }) => state === 'trouble')
  return {
    dialect: effectiveDialect(config.target.dialect, config.versions, config.target.baseUrl),
    findings,
    needs,
    unreachable,
  }
}

function render({ dialect, findings, needs, unreachable }: Examination, checks: number): string {
  const { met, unknown, gaps } = needs
  const blocked = new Set(gaps.flatMap((gap) => gap.checks)).size
  const left = gaps.length - shownGaps
  return [
    ...dialect.map((line) => `dialect  ${printable(line)}`),
    ...findings.map(({ what, state, says }) => `${state.padEnd(8)} ${printable(what)}: ${printable(says)}`),
    `needs    ${met.length} in order${met.length > 0 ? `: ${met.join(', ')}` : ''}`,
    ...(unknown.length > 0
      ? [`needs    ${unknown.length} are made by the provider when a check asks: ${unknown.join(', ')}`]
      : []),
    '',
    unreachable
      ? 'The target does not answer; needs were not checked.'
      : gaps.length === 0
        ? `Nothing is missing for ${checks} checks.`
        : `${blocked} of ${checks} checks stay untested. Missing needs, by the checks that each unlocks alone (and how many checks ask for it):`,
    ...gaps
      .slice(0, shownGaps)
      .map(({ need, how, gain, checks: asking }) => `  +${gain} (${asking.length})  ${need}: ${printable(how)}`),
    ...(left > 0 ? [`  … and ${left} more`] : []),
    '',
  ].join('\n')
}
