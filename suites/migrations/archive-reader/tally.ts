import { createHash } from 'node:crypto'
import { archiveKinds } from '../../../src/spec/words/words.ts'
import { type JsonCheck, jsonCheck } from './json-check.ts'

/** The header of a member in the tar. */
export interface MemberHeader {
  readonly name: string
  readonly type: string
  /** Undefined if the header's number cannot be read. */
  readonly size: number | undefined
}

const defaultJsonInMemory = 1024 * 1024

/** An archive with more members is a bomb of headers rather than an export. */
const mostMembers = 500_000

/** The amount of JSON that is checked in one archive: some fifteen seconds' worth. Bytes. */
const checkedJson = 64 * 1024 * 1024

/** Names that are remembered to notice a repeated one; as hashes, so that memory stays bounded. */
const mostNames = 100_000

const regular: readonly string[] = ['File', 'OldFile', 'ContiguousFile', 'SparseFile']
const harmless: readonly string[] = ['Directory', 'GNUDumpDir', ...regular]

/** Counts an archive's members while they pass. */
export class Tally {
  members = 0
  readonly kinds = new Map<string, KindContent>()
  readonly attachments: FileCount = { files: 0, bytes: 0 }
  readonly git: FileCount = { files: 0, bytes: 0 }
  readonly found = new Set<string>()
  readonly invalidJson: MemberNote[] = []
  readonly uncheckedJson: MemberNote[] = []
  readonly unsafeNames: string[] = []
  readonly oddities: string[] = []
  readonly #options: InspectionOptions
  readonly #names = new Set<string>()
  #jsonLeft = checkedJson

  constructor(options: InspectionOptions) {
    this.#options = options
  }

  /** Counts a member. Returns a check that needs the member's content, if it is JSON. Throws {@link StopReading}. */
  member({ name, type, size }: MemberHeader): JsonCheck | undefined {
    this.members += 1
    this.#bound(name, size)
    if (isUnsafe(name)) note(this.unsafeNames, name)
    if (!harmless.includes(type)) note(this.oddities, `${name} is a ${type}`)
    if (this.#repeats(name) && type !== 'Directory')
      note(this.oddities, `${name} occurs more than once`)
    // A hard link is a further name of a file. Its size is 0.
    if (type === 'Link' && placeOf(name).part !== 'objects') return this.#file(name, 1)
    return regular.includes(type) ? this.#file(name, size ?? 0) : undefined
  }

  /** The tally as an inspection's content: its public members. */
  content(): Omit<Inspection, 'outcome' | 'reason' | 'marked'> {
    return { ...this }
  }

  #bound(name: string, size: number | undefined) {
    const { limit } = this.#options
    if (size === undefined)
      throw new StopReading('damaged', `the size of the member ${name} is not a number`)
    if (size > limit)
      throw new StopReading(
        'too-large',
        `the member ${name} declares ${size} bytes, more than ${limit}`,
      )
    if (this.members > mostMembers)
      throw new StopReading('too-large', `it contains more than ${mostMembers} members`)
  }

  #file(name: string, size: number): JsonCheck | undefined {
    const place = placeOf(name)
    if (place.part === 'git') this.#gitFile(name, size)
    if (place.part === 'attachments') count(this.attachments, size)
    return place.part === 'objects' && place.json
      ? this.#objects(name, place.kind, size)
      : undefined
  }

  #gitFile(name: string, size: number) {
    count(this.git, size)
    const [folder] = /\/[^/]+\/[^/]+\.git\//.exec(name) ?? []
    if (folder && this.found.size < listLimit) this.found.add(folder)
    for (const ending of this.#options.wanted ?? []) {
      if (name.endsWith(ending)) this.found.add(ending)
    }
  }

  #objects(name: string, kind: string, size: number): JsonCheck {
    const content = this.kinds.get(kind) ?? { files: 0, items: 0, unchecked: 0, hollow: 0 }
    this.kinds.set(kind, content)
    content.files += 1
    const check = jsonCheck(size, this.#options.jsonInMemory ?? defaultJsonInMemory, this.#jsonLeft)
    this.#jsonLeft = Math.max(0, this.#jsonLeft - size)
    return {
      write: (piece) => check.write(piece),
      end: () => {
        const verdict = check.end()
        if (verdict.valid) {
          content.items += verdict.items
          content.unchecked += verdict.envelope ? 1 : 0
          content.hollow += verdict.envelope === 'empty' ? 1 : 0
        } else if (verdict.valid === undefined) {
          content.items += 1
          content.unchecked += 1
          note(this.uncheckedJson, { name, reason: verdict.reason })
        } else {
          if (size > 0) content.items += 1
          note(this.invalidJson, { name, reason: verdict.reason })
        }
        return verdict
      },
    }
  }

  #repeats(name: string) {
    const key = createHash('sha256').update(name).digest('base64')
    const known = this.#names.has(key)
    if (this.#names.size < mostNames) this.#names.add(key)
    return known
  }
}

function count(counted: FileCount, size: number) {
  counted.files += 1
  counted.bytes += size
}

function note<Item>(list: Item[], item: Item) {
  if (list.length < listLimit) list.push(item)
}

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

/** The regular files below a directory. */
export interface FileCount {
  files: number
  bytes: number
}

/** A remark about one member. */
export interface MemberNote {
  readonly name: string
  readonly reason: string
}

/** The contents of an archive. Names in it come from the target; the lists are cut. */
export interface Inspection {
  readonly outcome: ReadOutcome
  /** Why it could not be read to its end; empty for a readable archive. */
  readonly reason: string
  readonly members: number
  readonly kinds: ReadonlyMap<string, KindContent>
  readonly attachments: FileCount
  readonly git: FileCount
  /** The wanted endings of names that some member below `repositories/` has, and folders such as `/owner/name.git/` there. */
  readonly found: ReadonlySet<string>
  readonly invalidJson: readonly MemberNote[]
  /** JSON members whose form could not be checked with bounded memory. */
  readonly uncheckedJson: readonly MemberNote[]
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
const listLimit = 20

/** The part of the archive that a member belongs to, by its name. */
export type Place =
  | { readonly part: 'objects'; readonly kind: string; readonly json: boolean }
  | { readonly part: 'attachments' | 'git' | 'other' }

const longestFirst = [...archiveKinds].sort((a, b) => b.length - a.length)

/** The place of a member; `./` and one top folder may precede it (readings E20). */
export function placeOf(name: string): Place {
  const steps = name.split('/').filter((step) => step !== '' && step !== '.')
  return directPlace(steps) ?? directPlace(steps.slice(1)) ?? { part: 'other' }
}

function directPlace(steps: readonly string[]): Place | undefined {
  const [first = '', ...rest] = steps
  // A folder of data may have numbered object files.
  const isData = rest.length > 0 && !/^\d+\.json$/i.test(rest.join())
  if (isData && first === 'repositories') return { part: 'git' }
  if (isData && first === 'attachments') return { part: 'attachments' }
  const kind =
    rest.length === 0 ? kindOf(first) : longestFirst.find((candidate) => candidate === first)
  const file = steps.at(-1) ?? ''
  // The document says JSON files without names: `.json`, or no ending at all.
  return kind === undefined
    ? undefined
    : { part: 'objects', kind, json: /\.json$/i.test(file) || !file.includes('.') }
}

/** The kind whose name a file's name begins with, plain or followed by anything but a letter: `issues.json`, `issues_000001.json`. */
function kindOf(file: string) {
  const name = file.toLowerCase()
  return longestFirst.find(
    (kind) => name.startsWith(kind) && !/[a-z]/.test(name[kind.length] ?? ''),
  )
}

/** True for a name that would lead out of the folder that an archive is unpacked in. */
export const isUnsafe = (name: string) =>
  /^([/\\]|[A-Za-z]:[/\\])/.test(name) || name.split(/[/\\]/).includes('..')
