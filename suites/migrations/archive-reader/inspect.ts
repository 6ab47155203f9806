import { type Inspection, type InspectionOptions, StopReading } from './inspection.ts'
import { Tally } from './tally.ts'
import { TarReader } from './tar-reader.ts'
import { unpack } from './unpack.ts'

/**
 * Reads a tar.gz while it arrives, in bounded memory, without writing. Every fault of the archive is an outcome; only errors of
 * the source are thrown.
 */
export async function inspectArchive(source: AsyncIterable<Buffer>, options: InspectionOptions): Promise<Inspection> {
  const passed = { packed: 0, unpacked: 0 }
  const tally = new Tally(options)
  const reader = new TarReader((header) => tally.member(header))
  const end = (outcome: Inspection['outcome'], reason: string): Inspection => ({
    outcome,
    reason,
    packedBytes: passed.packed,
    unpackedBytes: passed.unpacked,
    marked: reader.marked,
    ...tally.content(),
  })
  try {
    for await (const piece of unpack(source, options.limit, passed)) reader.write(piece)
    reader.end()
    return end('readable', '')
  } catch (error) {
    if (error instanceof StopReading) return end(error.outcome, error.message)
    throw error
  }
}
