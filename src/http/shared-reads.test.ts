import { expect, test } from 'vitest'
import { Dialect } from './dialect/dialect.ts'
import { Exchange } from './exchange/exchange.ts'
import { SharedReads } from './shared-reads.ts'

const request = { method: 'GET', url: 'http://127.0.0.1/events', endpoint: 'GET /events', headers: [], as: 'nobody' }

async function readOf(reads: SharedReads, key: string, bytes: number): Promise<void> {
  const read = Promise.resolve(
    new Exchange('x1', request, { status: 200, headers: [], body: Buffer.alloc(bytes) }, 1, new Dialect()),
  )
  reads.add(key, read)
  await read
}

test('the oldest reads are let go when they take more than 64 MiB, a large body counting twice', async () => {
  const reads = new SharedReads()
  for (const key of ['a', 'b', 'c']) await readOf(reads, key, 15 * 1024 * 1024)
  expect(['a', 'b', 'c'].filter((key) => reads.of(key) !== undefined)).toEqual(['b', 'c'])
})

test('a read that failed is still the answer to whoever asks again', async () => {
  const reads = new SharedReads()
  const failed = Promise.reject(new Error('no answer'))
  reads.add('a', failed)
  await expect(reads.of('a')).rejects.toThrow('no answer')
})
