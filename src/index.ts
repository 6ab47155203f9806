/** The library: functions that judge a target, and the vocabulary of your own suites. docs/library.md has examples. */
export type { Config, ReachableConfig, TokenConfig } from './config/config.ts'
export { defineConfig, loadConfig, type WrittenConfig } from './config/load.ts'
export type { Caller } from './http/exchange/caller.ts'
export type { Exchange } from './http/exchange/exchange.ts'
export type { RequestSpec } from './http/exchange/request-spec.ts'
export { type JudgeOptions, judgeTarget, renderReport } from './library/judge.ts'
export {
  type ReferenceServerOptions,
  type StartedReferenceServer,
  startReferenceServer,
} from './library/reference.ts'
export type { CheckRecord } from './record/check-record.ts'
export type { ProgressEvent } from './record/progress-event.ts'
export type { Outcome } from './record/reason.ts'
export type { RunRecords } from './record/report-lanes.ts'
export type { Report, RunRecord, Verdict } from './record/run-record.ts'
export { type Comparison, compareRuns, type NamedRun } from './report/comparison/compare.ts'
export { readRun } from './report/files/read.ts'
export type { FormatName } from './report/formats/format-names.ts'
export type { RenderedFile } from './report/formats/formats.ts'
export type { Area, Endpoint } from './spec/endpoints.ts'
export type { NeedCatalogue, NeedName, Permissions, Role, TokenKind } from './spec/needs.ts'
export type { Level, Requirement } from './spec/requirements.ts'
export type { ApiVersion } from './spec/versions.ts'
export { type Check, type CheckDefinition, check, type Suite, suite } from './suite/check.ts'
export type { CheckContext } from './suite/context.ts'
export { isObject, itemsOf, type JsonObject, type Located, member } from './suite/located.ts'
export {
  configuredPath,
  loginOf,
  type Needing,
  type NeedMap,
  need,
  optional,
  ownNeed,
  quota,
  type Resolved,
  reader,
  role,
  type TokenRequest,
  token,
} from './suite/needs.ts'
export {
  briefly,
  completed,
  eventually,
  type Look,
  type Looking,
  moment,
  still,
  unchanged,
} from './suite/observe.ts'
export { UsageError } from './text/errors.ts'
