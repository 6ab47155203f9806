import type { Config } from '../../config/config.ts'
import type { SelectionRecord } from '../../record/run-record.ts'
import { areas, endpointLabel } from '../../spec/endpoints.ts'
import { apiVersions } from '../../spec/versions.ts'
import { endpointOf, type Suite } from '../../suite/check.ts'
import { splitSelection } from './lanes.ts'
import { allChecks, type PlacedCheck, type Shard } from './selection.ts'

/** The options that choose a part of the checks. */
export interface SelectionWords {
  readonly only?: readonly string[] | undefined
  readonly failed?: string | true | undefined
  readonly apiVersion?: readonly string[] | undefined
  readonly profile?: string | undefined
  readonly readOnly?: boolean | undefined
  readonly shard?: Shard | undefined
}

type Choice = Pick<Config, 'areas' | 'versions' | 'claims'>

/** How much of the suite a run judges, and why; undefined for all of it. A check counts once for each version. */
export function selectionRecord(
  selection: readonly PlacedCheck[],
  config: Choice,
  words: SelectionWords,
  suites: readonly Suite[],
): SelectionRecord | undefined {
  const chosen = words.readOnly ? selection.filter(({ check }) => !check.writes) : selection
  const selected = applicable(chosen, config)
  const of = applicable(allChecks(suites), words.apiVersion ? { ...config, versions: [...apiVersions] } : config)
  return selected >= of ? undefined : { by: namesOf(config, words), selected, of }
}

function applicable(placed: readonly PlacedCheck[], { versions, claims }: Choice): number {
  const claimed = placed.filter(({ check, suite }) => !claims.except.includes(endpointLabel(endpointOf(check, suite))))
  const { perVersion, across } = splitSelection(claimed, versions)
  const under = versions.map((version) => perVersion.filter(({ check }) => check.versions?.includes(version) ?? true).length)
  return under.reduce((sum, count) => sum + count, across.length)
}

function namesOf(config: Choice, { only = [], failed, apiVersion = [], profile, readOnly, shard }: SelectionWords): string[] {
  return [
    ...only.map((glob) => `--only ${glob}`),
    ...(failed ? ['--failed'] : []),
    ...(areas.every((area) => config.areas.includes(area)) ? [] : [`areas: ${config.areas.join(', ')}`]),
    ...apiVersion.map((version) => `--api-version ${version}`),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
    ...(readOnly ? ['--read-only'] : []),
    ...(shard ? [`--shard ${shard.index}/${shard.of}`] : []),
  ]
}
