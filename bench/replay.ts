import { readFileSync } from 'node:fs'
import { type Dispatcher, Pool } from 'undici'

// Sends the requests of a file again, in their order, over eight connections, and tells the seconds that it took.
const [origin = '', file = ''] = process.argv.slice(2)
const requests: { method: string; url: string; headers: string[]; body: string }[] = JSON.parse(readFileSync(file, 'utf8'))
const pool = new Pool(origin, { connections: 8, pipelining: 1 })
const started = process.hrtime.bigint()
let next = 0
await Promise.all(Array.from({ length: 8 }, worker))
process.send?.(Number(process.hrtime.bigint() - started) / 1e9)
await pool.close()
process.disconnect()

async function worker(): Promise<void> {
  for (let request = requests[next++]; request; request = requests[next++]) {
    const { method, url, headers, body } = request
    const answer = await pool.request({
      method: method as Dispatcher.HttpMethod,
      path: url,
      headers: withoutLength(headers),
      body: body === '' ? null : body,
    })
    await answer.body.arrayBuffer()
  }
}

function withoutLength(raw: readonly string[]): string[] {
  return raw.flatMap((name, at) => (at % 2 === 0 && !/^(host|content-length)$/i.test(name) ? [name, raw[at + 1] ?? ''] : []))
}
