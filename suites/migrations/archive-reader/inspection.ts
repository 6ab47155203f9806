/** The result of reading an archive: `unsupported` and `too-large` are no verdict on the target. */
export type ReadOutcome = 'readable' | 'damaged' | 'too-large' | 'unsupported'

/** Thrown while reading, to end it with an outcome. */
export class StopReading extends Error {
  override readonly name = 'StopReading'
  readonly outcome: Exclude<ReadOutcome, 'readable'>

  constructor(outcome: Exclude<ReadOutcome, 'readable'>, reason: string) {
    super(reason)
    this.outcome = outcome
  }
}

/** The files of one object kind. */
export interface KindContent {
  files: number
  /** The number of objects: the elements of an array, else one for each file that is not empty. */
  items: number
  /** Files whose objects were not counted: there may be more than `items`. */
  unchecked: number
  /** Those of them that may contain no object. */
  hollow: number
}

/** The regular files below a directory; empty ones are not counted. */
export interface FileCount {
  files: number
  bytes: number
}

/** The contents of an archive. Names in it come from the target; the lists are cut. */
export interface Inspection {
  readonly outcome: ReadOutcome
  /** Why it could not be read to its end; empty for a readable archive. */
  readonly reason: string
  readonly packedBytes: number
  readonly unpackedBytes: number
  readonly members: number
  readonly kinds: ReadonlyMap<string, KindContent>
  readonly attachments: FileCount
  readonly git: FileCount
  /** The wanted endings of names that some member below `repositories/` has. */
  readonly found: ReadonlySet<string>
  readonly invalidJson: readonly { readonly name: string; readonly reason: string }[]
  /** JSON members whose form could not be checked with bounded memory. */
  readonly uncheckedJson: readonly { readonly name: string; readonly reason: string }[]
  /** Absolute names and names with `..`. */
  readonly unsafeNames: readonly string[]
  /** Links, devices and names that come twice; none of them is followed. */
  readonly oddities: readonly string[]
  /** The tar ends with its end-of-archive marker. */
  readonly marked: boolean
}

/** How an archive is inspected. */
export interface InspectionOptions {
  /** The most bytes that are read, packed or unpacked, and that a member may declare. */
  readonly limit: number
  /** JSON members up to this size are parsed in memory, larger ones while they pass. Bytes. */
  readonly jsonInMemory?: number
  /** Endings of names that are looked for below `repositories/`. */
  readonly wanted?: readonly string[]
}

/** The maximum length of each list of an inspection. */
export const listLimit = 20
