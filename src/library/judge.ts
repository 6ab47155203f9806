import type { Config, ReachableConfig } from '../config/config.ts'
import { defineConfig, type WrittenConfig } from '../config/load.ts'
import { checkWaivers } from '../gate/waivers.ts'
import type { ProgressEvent } from '../record/progress-event.ts'
import type { RunRecords } from '../record/report-lanes.ts'
import type { FormatName } from '../report/formats/format-names.ts'
import type { RenderedFile } from '../report/formats/formats.ts'
import { causeLimit } from '../report/view/cause-limit.ts'
import { checkStaticNeeds } from '../run/needs/given-values.ts'
import { loadSuites } from '../run/selection/load-suites.ts'
import {
  allChecks,
  type SelectionOptions,
  select,
  selectionRecord,
} from '../run/selection/selection.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import { UsageError } from '../text/errors.ts'

/** The choice of the checks, and the conditions of the run. */
export interface JudgeOptions extends Omit<SelectionOptions, 'profile'> {
  /** Sends only GET requests; checks that write are inapplicable. */
  readonly readOnly?: boolean | undefined
  /** Judges each check once: suspicions stay in the records, which are `provisional`. */
  readonly quick?: boolean | undefined
  /** No further check begins once so many causes of failures were found. */
  readonly bail?: number | undefined
  /** The most requests that are sent per version. */
  readonly maxRequests?: number | undefined
  /** Seed of the property checks; a random one unless given. */
  readonly seed?: number | undefined
  /** Ends the run within seconds; the records then say `interrupted`. */
  readonly signal?: AbortSignal | undefined
  /** Receives the events of the run in their order. */
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined
}

/**
 * Judges the target of a configuration under each of its versions and resolves to the records, from which all reports are made.
 * Writes no file, prints nothing and handles no signal of the process.
 * Throws {@link UsageError} for a configuration without a target, for contradictory waivers or needs and for an empty selection.
 */
export async function judgeTarget(
  stated: WrittenConfig | Config,
  options: JudgeOptions = {},
): Promise<RunRecords> {
  const config = defineConfig(stated)
  const reachable = reachableConfig(config)
  const { judgeTarget: judge } = await import('../run/run.ts')
  const catalogue = await loadedCatalogue(config)
  const { suites } = catalogue
  const {
    areas = config.areas,
    only,
    shard,
    readOnly,
    quick,
    bail,
    maxRequests,
    seed,
    signal,
    onProgress,
  } = options
  const selection = select(suites, { areas, only, shard })
  const selected = selectionRecord(
    selection,
    { ...config, areas: [...areas] },
    { only, readOnly, shard },
    suites,
  )
  const limit = causeLimit(bail ?? Number.POSITIVE_INFINITY, config.gate)
  const progress = (event: ProgressEvent) => {
    limit.note(event)
    onProgress?.(event)
  }
  const how = { selected, readOnly, quick, enough: limit.signal, maxRequests, seed, signal }
  return judge({ ...reachable, catalogue }, selection, { ...how, listener: { progress } })
}

/** The suites of a configuration: the built-in ones and its own. Throws {@link UsageError} for an unknown need or an unknown waived check. */
export async function loadedCatalogue(config: Config): Promise<Catalogue> {
  const catalogue = await loadSuites(config, (await import('../../suites/index.ts')).suites)
  const ids = allChecks(catalogue.suites).map(({ check }) => check.id)
  checkStaticNeeds({ ...config, catalogue })
  checkWaivers(config.waivers, ids)
  return catalogue
}

/** The files of one format, each with its path below the directory of the report. Equal records result in equal bytes. */
export async function renderReport(
  records: RunRecords,
  format: FormatName,
): Promise<readonly RenderedFile[]> {
  const { renderFormats } = await import('../report/formats/formats.ts')
  return [...renderFormats([format], records)]
}

/** The configuration, which must name its target. Throws {@link UsageError}. */
export function reachableConfig(config: Config): ReachableConfig {
  const { baseUrl } = config.target
  if (baseUrl !== undefined) return { ...config, target: { ...config.target, baseUrl } }
  throw new UsageError(
    'the configuration names no target: set target.baseUrl, or call configure() of startReferenceServer()',
  )
}
