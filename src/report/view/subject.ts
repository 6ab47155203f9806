import type { PreflightRecord, PreflightToken } from '../../record/preflight-record.ts'
import type { ReportLane } from '../../record/report-lanes.ts'
import type { Coverage, Difference, Report, RunRecord, Verdict } from '../../record/run-record.ts'
import { coverageOf, isThin } from '../../record/verdict.ts'
import type { Area } from '../../spec/endpoints.ts'
import { groupBy } from '../../text/data.ts'
import { counted, duration, size } from '../../text/format.ts'
import { quote } from './reproduction.ts'

/** The coverage of a whole run. */
export function runCoverage(lanes: readonly ReportLane[]): Coverage {
  return coverageOf(lanes.flatMap(({ report }) => report.checks))
}

/** The areas with checks. They have the order of the document, as the checks have. */
export function judgedAreas(lanes: readonly ReportLane[]): Area[] {
  return [...new Set(lanes.flatMap(({ report }) => report.checks.map(({ area }) => area)))]
}

/** The style of a verdict. `thin`: it conforms over less than half of the must checks, or over open versions. `selected`: it is provisional, or on a selection. */
export function verdictStyle(
  verdict: Verdict,
  lanes: readonly ReportLane[],
): Verdict | 'thin' | 'selected' {
  if (
    verdict === 'conforms' &&
    lanes.some(({ selection, provisional }) => selection || provisional)
  )
    return 'selected'
  return verdict === 'conforms' &&
    lanes.some(({ report, isOpen }) => isOpen || isThin(report.checks))
    ? 'thin'
    : verdict
}

/** The sentence about a verdict in the style `thin`. */
export const thinText =
  'Less than half of the must-level checks were judged, so this verdict says little'

/** The sentence about a target that ignores the version header; undefined about any other. */
export function ignoredVersionText({ crossVersion: { ignoresVersion } }: RunRecord) {
  if (!ignoresVersion) return undefined
  const { serves } = ignoresVersion
  const responses =
    serves === undefined
      ? 'the same responses under both versions'
      : `responses of ${serves} for any requested version`
  return `The target ignores the version header: it returns ${responses}. Many of the deviations below follow from this`
}

/** The sentence about a run that confirms no suspicion. */
export const provisionalText =
  'Provisional (--quick): each check was judged once, with a brief look for effects. Suspicions are not confirmed'

/** The cost of a poll interval, and the two ways to a run without it. */
export const shorterIntervals =
  'Each further poll of the address adds this time to a run. On a test server, send a smaller X-Poll-Interval, or set polling: { obey: false }'

/** The traffic of a lane: `3,507 requests, 69.9 MB in 35.7 s`. */
export function trafficText({ requests: { sent, bytes }, durationMs }: Report) {
  return `${counted(sent, 'request')}, ${size(bytes)} in ${duration(durationMs)}`
}

/** The choices of the target where the document is silent, by endpoint: each with the other choices that the document permits. */
export function silencesOf(lanes: readonly ReportLane[]) {
  const seen = lanes.flatMap(({ name, report }) =>
    report.observations.map(({ endpoint = 'any endpoint', topic, what, permits }) => {
      const others = permits === undefined ? '' : `; also permitted: ${permits}`
      return { endpoint, name, line: `${topic}: ${what}${others}` }
    }),
  )
  return [...groupBy(seen, ({ endpoint }) => endpoint)].map(([endpoint, own]) => {
    const lines = [...groupBy(own, ({ line }) => line)].map(([line, same]) => {
      const names = [...new Set(same.map(({ name }) => name))]
      return names.length < 2 && lanes.length > 1 ? `${line} (${names})` : line
    })
    return { endpoint, lines }
  })
}

/** The heading over the choices of the target. */
export const silenceTitle = 'Where the document is silent'

/** The documented changes of which no difference was seen: `change 2: …`. `statements` have the words of each. */
export function unseenChanges(
  differences: readonly Pick<Difference, 'change'>[],
  statements: readonly { readonly id: string; readonly text: string }[],
) {
  const seen = new Set(differences.map(({ change }) => `versioning.change-${change}`))
  return statements
    .filter(({ id }) => /^versioning\.change-\d+$/.test(id) && !seen.has(id))
    .map(({ id, text }) => `change ${id.split('-').at(-1)}: ${text}`)
}

/** `19 of the 21 documented changes were seen`. */
export function seenText({ length }: readonly string[]) {
  return `${21 - length} of the 21 documented changes were seen`
}

/** The sentences of the gate and of the preflight that a reader needs before the details. */
export function notesOn({ gate, preflight }: RunRecord) {
  return [...gate.missed, ...gate.open, ...(preflight?.notes ?? []), ...gate.warnings]
}

/** The tokens of a run: `owner mona (classic), 3 tokens without a role`. */
export function tokensText(
  tokens: readonly Partial<Pick<PreflightToken, 'role' | 'login' | 'kind'>>[],
) {
  const withRole = tokens.filter(({ role }) => role !== undefined)
  const others = tokens.length - withRole.length
  const known = withRole.map(
    ({ role, login, kind }) => `${role} ${login ?? '(login unknown)'} (${kind})`,
  )
  const parts = others > 0 ? [...known, `${counted(others, 'token')} without a role`] : known
  return parts.length === 0 ? 'none: requests are sent anonymously' : parts.join(', ')
}

type Subject = Pick<RunRecord, 'target' | 'preflight'>

/** The name of a target for readers. */
export function targetText({ target, preflight }: Subject) {
  return preflight?.reference ? `the embedded reference server (${target.baseUrl})` : target.baseUrl
}

/** The options with which another command finds the target: ` --base-url http://localhost:3000`; none for the usual file. */
export function targetArguments({ target, preflight }: Subject) {
  if (preflight === undefined) return ''
  if (preflight.configuration !== undefined) return configArgument(preflight.configuration)
  return preflight.reference ? ' --reference' : ` --base-url ${quoted(target.baseUrl)}`
}

/** ` --config FILE`, unless commands load that file without the option. */
export function configArgument(file: string) {
  return file === defaultConfigFile ? '' : ` --config ${quoted(file)}`
}

/** The configuration that a command loads when none is named. */
export const defaultConfigFile = 'conformance.config.yaml'

function quoted(text: string) {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : quote(text)
}

/** The configuration and the tokens of a run: `configuration a.yaml; tokens: owner mona (classic)`, or `configuration a.yaml, 6 tokens` unless `whole`. */
export function setupText({ configuration, target, tokens }: PreflightRecord, whole = true) {
  const file =
    configuration === undefined ? 'no configuration file' : `configuration ${configuration}`
  if (target === '') return `${file}; the tokens were not examined`
  if (tokens.length === 0) return `${file}; no tokens: requests are sent anonymously`
  return whole
    ? `${file}; tokens: ${tokensText(tokens)}`
    : `${file}, ${counted(tokens.length, 'token')}`
}
