import { createHash } from 'node:crypto'
import {
  type FileCount,
  type Inspection,
  type InspectionOptions,
  type KindContent,
  listLimit,
  StopReading,
} from './inspection.ts'
import { type JsonCheck, jsonCheck } from './json-check.ts'
import { isUnsafe, placeOf } from './names.ts'

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
  readonly invalidJson: { name: string; reason: string }[] = []
  readonly uncheckedJson: { name: string; reason: string }[] = []
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
    if (this.#repeats(name) && type !== 'Directory') note(this.oddities, `${name} occurs more than once`)
    return regular.includes(type) ? this.#file(name, size ?? 0) : undefined
  }

  /** The tally as an inspection's content. */
  content(): Omit<Inspection, 'outcome' | 'reason' | 'packedBytes' | 'unpackedBytes' | 'marked'> {
    const { members, kinds, attachments, git, found, invalidJson, uncheckedJson, unsafeNames, oddities } = this
    return { members, kinds, attachments, git, found, invalidJson, uncheckedJson, unsafeNames, oddities }
  }

  #bound(name: string, size: number | undefined): void {
    const { limit } = this.#options
    if (size === undefined) throw new StopReading('damaged', `the size of the member ${name} is not a number`)
    if (size > limit) throw new StopReading('too-large', `the member ${name} declares ${size} bytes, more than ${limit}`)
    if (this.members > mostMembers) throw new StopReading('too-large', `it contains more than ${mostMembers} members`)
  }

  #file(name: string, size: number): JsonCheck | undefined {
    const place = placeOf(name)
    if (place.part === 'git') this.#gitFile(name, size)
    if (place.part === 'attachments') count(this.attachments, size)
    return place.part === 'objects' && place.json ? this.#objects(name, place.kind, size) : undefined
  }

  #gitFile(name: string, size: number): void {
    count(this.git, size)
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

  #repeats(name: string): boolean {
    const key = createHash('sha256').update(name).digest('base64')
    const known = this.#names.has(key)
    if (this.#names.size < mostNames) this.#names.add(key)
    return known
  }
}

function count(counted: FileCount, size: number): void {
  if (size > 0) counted.files += 1
  counted.bytes += size
}

function note<Item>(list: Item[], item: Item): void {
  if (list.length < listLimit) list.push(item)
}
