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

test('the oldest reads are removed when all of them take more than 64 MiB', async () => {
  const reads = new SharedReads()
  const keys = ['a', 'b', 'c', 'd', 'e']
  for (const key of keys) await readOf(reads, key, 15 * 1024 * 1024)
  expect(keys.filter((key) => reads.get(key) !== undefined)).toEqual(['b', 'c', 'd', 'e'])
})

test('a failed read is not repeated', async () => {
  const reads = new SharedReads()
  const failed = Promise.reject(new Error('no answer'))
  reads.add('a', failed)
  await expect(reads.get('a')).rejects.toThrow('no answer')
})
