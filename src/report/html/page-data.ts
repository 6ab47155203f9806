import type { RunRecords } from '../../record/report-parts.ts'

/** The data of a page, as JSON in it. `client` draws the page from it. */
export interface PageData {
  readonly heading: string
  /** The records of a run; absent on the page of a comparison. */
  readonly records?: RunRecords
  /** The statements of the document, by the id of their requirement. */
  readonly statements: Readonly<Record<string, string>>
  /** The readings of the document that decide a deviating check, by its id. */
  readonly readings: Readonly<Record<string, readonly { readonly id: string; readonly judged: string }[]>>
  /** The tables of a comparison. */
  readonly tables: readonly { readonly title: string; readonly head: readonly string[]; readonly rows: readonly string[][] }[]
}
