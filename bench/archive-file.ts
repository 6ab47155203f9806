import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { file, type Member, tarOf } from '../fixtures/reference/tar-writer.ts'

/** The usual size of a member, so that 2 GiB are some 40,000 members. Bytes. */
const memberSize = 52_000

const pieceSize = 16 * 1024

/** Half of it compresses well, as texts do, half of it hardly, as packs do. */
const pieces: readonly Buffer[] = Array.from({ length: 64 }, (_, index) => (index % 2 === 0 ? text(index) : noise(index)))

/** Writes an archive of about `bytes` unpacked bytes and returns how many members it has. */
export async function writeArchive(path: string, bytes: number): Promise<number> {
  const count = Math.round(bytes / memberSize)
  const tar = Readable.from(tarOf(members(count)), { objectMode: false, highWaterMark: 1024 * 1024 })
  await pipeline(tar, createGzip({ level: 1, chunkSize: 256 * 1024 }), createWriteStream(path))
  return count
}

/** One JSON file in a hundred members, the others Git data. */
function* members(count: number): Generator<Member> {
  const issues = JSON.stringify(
    Array.from({ length: 300 }, (_, number) => ({ number, title: `Greeting ${number}`, labels: ['a', 'b'] })),
  )
  for (let index = 0; index < count; index += 1) {
    if (index % 100 === 0) yield file(`issues_${String(index / 100).padStart(6, '0')}.json`, issues)
    else yield { name: `repositories/mona/atlas.git/objects/${index}`, size: memberSize, body: () => content(index) }
  }
}

function* content(seed: number): Generator<Buffer> {
  for (let made = 0, at = seed; made < memberSize; made += pieceSize, at += 1) {
    const piece = pieces[at % pieces.length] as Buffer
    yield made + pieceSize > memberSize ? piece.subarray(0, memberSize - made) : piece
  }
}

function text(seed: number): Buffer {
  const words = ['tree', 'parent', 'author', 'commit', 'blob', 'mona', 'refs/heads/main', '100644']
  let made = ''
  for (let at = seed; made.length < pieceSize; at += 1)
    made += `${words[(at * 7 + (at >> 3)) % words.length]} ${at * 2_654_435_761}\n`
  return Buffer.from(made.slice(0, pieceSize))
}

function noise(seed: number): Buffer {
  const piece = Buffer.alloc(pieceSize)
  let state = seed * 2_654_435_761
  for (let at = 0; at < pieceSize; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    piece[at] = state >>> 24
  }
  return piece
}
