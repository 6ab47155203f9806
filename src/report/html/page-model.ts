import type { ExchangeRecord } from '../../record/exchange-record.ts'
import type { Outcome } from '../../record/outcome.ts'
import type { Totals, Verdict } from '../../record/version-report.ts'
import type { FragmentLine } from '../view/fragment.ts'
import type { PermissionMap } from '../view/permission-map.ts'

/** The data of a page, as JSON in it. `client` draws the page from it. */
export interface PageModel {
  /** The heading: the target of a run. */
  readonly heading: string
  /** Date, suite and seed of a run. */
  readonly facts: string
  /** Sentences that a reader must not miss. */
  readonly alerts: readonly string[]
  /** Absent on the page of a comparison. */
  readonly run?: RunModel
  readonly sections: readonly SectionModel[]
}

/** A run with its parts and checks. Checks are referred to by their place in `checks`, parts by their place in `parts`. */
export interface RunModel {
  readonly verdict: VerdictModel
  readonly gate: { readonly result: string; readonly strict: boolean }
  readonly notes: readonly string[]
  /** The configuration and the tokens, with the target's treatment of each token. */
  readonly means?: { readonly summary: string; readonly tokens: TableModel }
  readonly parts: readonly PartModel[]
  /** The outcomes of each area in each part. */
  readonly areas: readonly { readonly area: string; readonly totals: readonly Totals[] }[]
  readonly checks: readonly CheckModel[]
  readonly deviations: readonly DeviationModel[]
  readonly permissions: readonly { readonly name: string; readonly map: PermissionMap }[]
  /** The exchanges of each part, by id. */
  readonly exchanges: readonly Readonly<Record<string, ExchangeRecord>>[]
}

/** A verdict with its coverage, without which it is not shown. */
export interface VerdictModel {
  readonly verdict: Verdict
  readonly style: Verdict | 'thin'
  readonly coverage: string
  /** The judged share of the applicable checks. Percent. */
  readonly share: number
}

/** A version, or the checks across versions. */
export interface PartModel extends VerdictModel {
  readonly name: string
  readonly totals: Totals
  /** The number of requests and the duration. */
  readonly traffic: string
  readonly warnings: readonly string[]
}

/** A check with its judgement in each part; null where the part does not have it. */
export interface CheckModel {
  readonly id: string
  readonly title: string
  readonly area: string
  readonly endpoint: string
  readonly level: string
  readonly section: string
  readonly requirements: readonly string[]
  readonly judgements: readonly (JudgementModel | null)[]
}

/** A judgement without its evidence. */
export interface JudgementModel {
  readonly outcome: Outcome
  readonly subjects: number
  readonly durationMs: number
  readonly detail: string
  readonly exchanges: readonly string[]
  readonly flaky?: boolean
}

/** A check that deviates in at least one part. */
export interface DeviationModel {
  readonly check: number
  readonly outcome: Outcome
  readonly blocks: readonly EvidenceModel[]
  /** The sentences that interpret the document where it is open. */
  readonly readings: readonly { readonly id: string; readonly judged: string }[]
}

/** The evidence of one outcome: that of the newest part in full. */
export interface EvidenceModel {
  readonly outcome: Outcome
  readonly names: readonly string[]
  readonly part: number
  readonly flaky: boolean
  /** The explanation of the outcome, where the deviation does not contain it. */
  readonly detail: string
  readonly deviation?: {
    readonly expected: string
    readonly actual: string
    readonly pointer: string
    readonly exchanges: readonly string[]
    readonly fragment?: { readonly at: string; readonly lines: readonly FragmentLine[] }
    /** A shell script that repeats the requests. */
    readonly script: readonly string[]
  }
  /** The actual values of older parts, where they differ. */
  readonly others: readonly { readonly name: string; readonly actual: string }[]
  /** Every exchange of the check. */
  readonly exchanges: readonly string[]
  readonly repeats: readonly { readonly outcome: Outcome; readonly detail: string; readonly exchanges: readonly string[] }[]
}

/** A part of the page: paragraphs, then tables. */
export interface SectionModel {
  readonly id: string
  readonly title: string
  readonly notes: readonly string[]
  readonly tables: readonly TableModel[]
}

/** A table; it is drawn when the reader opens it where `folded` names it. */
export interface TableModel {
  readonly title: string
  readonly folded?: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A cell: a text, an identifier, an outcome, a link, links to checks by their place, or several lines. */
export type Cell =
  | string
  | { readonly code: string; readonly text?: string }
  | { readonly badge: string }
  | { readonly link: string }
  | { readonly checks: readonly number[] }
  | { readonly lines: readonly string[] }
