import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { tryConnect, whyUnreachable } from './reach.ts'

test('a listening server is reachable, also on a path prefix', async () => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  expect(await whyUnreachable(`http://127.0.0.1:${port}/api/v3`, 1000)).toBeUndefined()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  expect(await tryConnect(`http://127.0.0.1:${port}`, 1000)).toMatchObject({ timedOut: false })
})

test('a closed port is tried three times, and the message states the attempts', async () => {
  expect(await whyUnreachable('http://127.0.0.1:9', 1000)).toMatch(
    /^http:\/\/127\.0\.0\.1:9: .*ECONNREFUSED.* \(tried 3 times in [\d.]+ s\)$/,
  )
})
