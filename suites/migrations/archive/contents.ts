import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { archiveKinds } from '../../../src/spec/words.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Inspection } from '../archive-reader/inspection.ts'

/** Observes the contents of an archive, and its oddities that are permitted (readings E20). */
export function observeContents(t: CheckContext, inspection: Inspection): void {
  const { kinds, attachments, git, oddities, uncheckedJson, members, unpackedBytes } = inspection
  const counts = [...kinds].map(([kind, { items, files }]) => `${kind} ${items} in ${files} ${files === 1 ? 'file' : 'files'}`)
  const files = `attachments/ ${attachments.files} files, repositories/ ${git.files} files`
  t.observe('archive contents', `${members} members, ${unpackedBytes} bytes; ${[...counts, files].join(', ')}`)
  for (const oddity of oddities) t.observe('archive members', oddity)
  for (const { name, reason } of uncheckedJson) t.observe('archive JSON that was not checked', `${name}: ${reason}`)
}

/** The number of objects of a kind in an archive. */
export function itemsOf(inspection: Inspection, kind: string): number {
  return inspection.kinds.get(kind)?.items ?? 0
}

/** Each declared kind has objects in the archive; kinds that the document does not name are passed over. */
export function expectKinds(t: CheckContext, inspection: Inspection, declared: readonly string[], answer: Exchange): void {
  const wanted = archiveKinds.filter((kind) => declared.includes(kind))
  if (wanted.length === 0) t.untested('exportable-repository declares no documented object kind', 'exportable-repository')
  const missing = wanted.filter((kind) => itemsOf(inspection, kind) === 0)
  t.expect(answer).satisfy(`JSON objects of ${wanted.join(', ')}`, missing.length === 0, `no objects of ${missing.join(', ')}`)
}

/** A kind of data that the need declares (`true` for any amount), and the amount that the archive contains. */
interface Amount {
  readonly of: string
  readonly declared: boolean | number | undefined
  readonly found: number
}

/** The archive contains at least as much as is declared. */
export function expectAmount(t: CheckContext, { of, declared, found }: Amount, answer: Exchange): void {
  if (!declared) t.untested(`exportable-repository declares no ${of}`, 'exportable-repository')
  const wanted = Number(declared)
  t.expect(answer).satisfy(`at least ${wanted} ${of}`, found >= wanted, `${found} ${of}`)
}

/** The declared Git data: any, a number of files, or files with certain endings of their names. */
export function expectWantedFiles(t: CheckContext, inspection: Inspection, declared: unknown, answer: Exchange): void {
  const names = Array.isArray(declared) ? (declared as string[]) : []
  const missing = names.find((name) => !inspection.found.has(name))
  const others = `${inspection.git.files} other files`
  t.expect(answer).satisfy(`a file in repositories/ that ends with ${missing}`, missing === undefined, others)
  const amount = names.length > 0 ? 1 : (declared as boolean | number | undefined)
  expectAmount(t, { of: 'files in repositories/', declared: amount, found: inspection.git.files }, answer)
}

/** The declared releases, unless files of them were too large to be counted. */
export function expectReleases(t: CheckContext, inspection: Inspection, declared: Amount['declared'], answer: Exchange): void {
  const found = itemsOf(inspection, 'releases')
  const isCounted = !inspection.kinds.get('releases')?.unchecked
  if (found < Number(declared) && !isCounted) t.untested('the releases in the archive were not counted')
  expectAmount(t, { of: 'releases', declared, found }, answer)
}
