import { randomUUID } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { diagnoseNeeds, type NeedDiagnosis } from '../doctor/diagnosis.ts'
import { type Finding, probeTls, probeToken, probeVersion } from '../doctor/probes.ts'
import { Redactor } from '../http/redaction.ts'
import { Session, type SessionOptions } from '../run/judge/session.ts'
import { callersOf } from '../run/needs/tokens.ts'
import type { PlacedCheck } from '../run/selection.ts'
import { printable } from '../text/show.ts'
import { chosenChecks, effectiveConfig, type TargetOptions } from './effective-config.ts'
import { renderJson } from './table.ts'
import { withTarget } from './with-target.ts'

/** The options of `doctor`. */
export interface DoctorOptions extends TargetOptions {
  json?: boolean
}

/** Gaps whose checks are counted but whose entry is not printed. */
const shownGaps = 30

/** Looks whether target, tokens, provider and needs are in order. Exit code 0: all is; 1: something is missing; 3: the target is not there. */
export async function doctorCommand(options: DoctorOptions): Promise<{ text: string; code: number }> {
  const config = effectiveConfig(options)
  const selection = chosenChecks(config, options)
  const { findings, needs } = await withTarget(config, (reachable) => examine(reachable, selection))
  const unreachable = findings.filter(({ what }) => what.startsWith('version ')).every(({ state }) => state === 'trouble')
  const code = unreachable ? 3 : needs.gaps.length > 0 || findings.some(({ state }) => state === 'trouble') ? 1 : 0
  return { text: options.json ? renderJson({ findings, ...needs }) : render(findings, needs, selection.length), code }
}

async function examine(
  config: Config,
  selection: readonly PlacedCheck[],
): Promise<{ findings: Finding[]; needs: NeedDiagnosis }> {
  const run = randomUUID()
  const findings = await probeTls(config.target.baseUrl as string)
  let needs: NeedDiagnosis = { met: [], unknown: [], gaps: [] }
  for (const [index, apiVersion] of config.versions.entries()) {
    const session = await Session.open({ config: config as SessionOptions['config'], apiVersion, run, seed: 1 })
    const version = await probeVersion(session)
    findings.push(version)
    if (index === 0 && version.state !== 'trouble') {
      for (const caller of callersOf(config.tokens, new Redactor())) findings.push(await probeToken(session, caller))
    }
    if (index === 0 && version.state !== 'trouble') needs = await diagnoseNeeds(selection, session, config.provider !== undefined)
    const warning = await session.release()
    if (warning !== undefined && !findings.some(({ what }) => what === 'provider'))
      findings.push({ what: 'provider', state: 'trouble', says: warning })
  }
  return { findings, needs }
}

function render(findings: readonly Finding[], { met, unknown, gaps }: NeedDiagnosis, checks: number): string {
  const blocked = new Set(gaps.flatMap((gap) => gap.checks)).size
  const left = gaps.length - shownGaps
  return [
    ...findings.map(({ what, state, says }) => `${state.padEnd(8)} ${printable(what)}: ${printable(says)}`),
    `needs    ${met.length} in order${met.length > 0 ? `: ${met.join(', ')}` : ''}`,
    ...(unknown.length > 0
      ? [`needs    ${unknown.length} are made by the provider when a check asks: ${unknown.join(', ')}`]
      : []),
    '',
    findings.every(({ what, state }) => !what.startsWith('version ') || state === 'trouble')
      ? 'The target does not answer; needs were not looked at.'
      : gaps.length === 0
        ? `Nothing is missing for ${checks} checks.`
        : `${blocked} of ${checks} checks stay untested. What to give, by what it gains alone (and how many checks ask for it):`,
    ...gaps
      .slice(0, shownGaps)
      .map(({ need, how, gain, checks: asking }) => `  +${gain} (${asking.length})  ${need}: ${printable(how)}`),
    ...(left > 0 ? [`  … and ${left} more`] : []),
    '',
  ].join('\n')
}
