import { archiveKinds } from '../../../src/spec/words.ts'

/** The part of the archive that a member belongs to, by its name. */
export type Place =
  | { readonly part: 'objects'; readonly kind: string; readonly json: boolean }
  | { readonly part: 'attachments' | 'git' }
  | { readonly part: 'other' }

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
  const kind = rest.length === 0 ? kindOf(first) : longestFirst.find((candidate) => candidate === first)
  const file = steps.at(-1) ?? ''
  // The document says JSON files without names: `.json`, or no ending at all.
  return kind === undefined ? undefined : { part: 'objects', kind, json: /\.json$/i.test(file) || !file.includes('.') }
}

/** The kind whose name a file's name begins with, plain or followed by anything but a letter: `issues.json`, `issues_000001.json`. */
function kindOf(file: string): string | undefined {
  const name = file.toLowerCase()
  return longestFirst.find((kind) => name.startsWith(kind) && !/[a-z]/.test(name[kind.length] ?? ''))
}

/** True for a name that would lead out of the folder that an archive is unpacked in. */
export function isUnsafe(name: string): boolean {
  return /^([/\\]|[A-Za-z]:[/\\])/.test(name) || name.split(/[/\\]/).includes('..')
}
