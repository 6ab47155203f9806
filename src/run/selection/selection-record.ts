import type { Config } from '../../config/config.ts'
import type { SelectionRecord } from '../../record/run-record.ts'
import { areas, endpointLabel } from '../../spec/endpoints.ts'
import { type ApiVersion, apiVersions } from '../../spec/versions.ts'
import { endpointOf, type Suite } from '../../suite/check.ts'
import { sumOf } from '../../text/data.ts'
import { splitSelection } from './lanes.ts'
import { allChecks, type PlacedCheck, type SelectionOptions } from './selection.ts'

/** The options that choose a part of the checks. */
export interface SelectionWords extends Pick<SelectionOptions, 'only' | 'profile' | 'shard'> {
  readonly failed?: string | true | undefined
  readonly apiVersion?: readonly string[] | undefined
  readonly readOnly?: boolean | undefined
}

type Choice = Pick<Config, 'areas' | 'versions' | 'claims'>

/** The extent of a selection, with the options that chose it; undefined for the whole suite. A check counts once for each version. */
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
  const countUnder = (version: ApiVersion) => perVersion.filter(({ check }) => check.versions?.includes(version) ?? true).length
  return across.length + sumOf(versions, countUnder)
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
