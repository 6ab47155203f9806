import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Connection } from '../src/http/connection.ts'
import { inspectArchive } from '../suites/migrations/archive-reader/inspect.ts'

const [task, subject = ''] = process.argv.slice(2)
if (task === 'send') send(subject)
else await inspect(subject)

/** Serves one file on loopback and tells the port. */
function send(file: string): void {
  const server = createServer((_, response) => void createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(response))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

/** Inspects what an address delivers, as a check does, and tells what it took. */
async function inspect(url: string): Promise<void> {
  const started = process.hrtime.bigint()
  const connection = new Connection(10_000)
  const wire = { method: 'GET', url, headers: [] }
  const limit = Number.MAX_SAFE_INTEGER
  const { result } = await connection.stream(wire, new AbortController().signal, (body) => inspectArchive(body, { limit }))
  const wall = Number(process.hrtime.bigint() - started) / 1e9
  if (result?.outcome !== 'readable') throw new Error(`the archive is not readable: ${result?.reason}`)
  const { user, system } = process.cpuUsage()
  process.send?.({ wall, cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS * 1024, members: result.members })
  await connection.close()
}
