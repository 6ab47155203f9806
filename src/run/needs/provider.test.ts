import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { json as jsonOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { listeningOn } from '../../../fixtures/samples/target/scripted-target.ts'
import { openProvider, type ProviderRun } from './provider.ts'

const run: ProviderRun = { run: 'run-1', apiVersion: '2026-03-10', timeoutSeconds: 5 }
const { write } = temporaryFolder('provider')

/** A request to a provider in protocol 1. */
interface Question {
  readonly need: string
}

/** The URL of a provider that responds with `respond`, and its requests so far in `asked`. */
async function serving(
  respond: (body: Question, response: ServerResponse) => void,
  prepare: (server: Server) => void = () => {},
) {
  const asked: Question[] = []
  const server = createServer(async (request, response) => {
    const body = (await jsonOf(request)) as Question
    asked.push(body)
    respond(body, response)
  })
  prepare(server)
  return { url: `${await listeningOn(server)}/provide`, asked }
}

let modules = 0

/** A provider module of this text, by its absolute path. */
function moduleOf(text: string) {
  modules += 1
  return write(`provider-${modules}.mjs`, text)
}

const json = (value: unknown) => (_: unknown, response: ServerResponse) => void response.end(JSON.stringify(value))

describe('a provider given as URL', () => {
  test('a provider given as a URL is asked by protocol 1 for one need at a time', async () => {
    const { url, asked } = await serving(json({ given: { thread_id: '7' } }))
    const provider = await openProvider(url, run)
    expect(await provider.ask('unread-thread', { reason: 'mention' })).toEqual({ given: { thread_id: '7' } })
    expect(asked).toEqual([
      { protocol: 1, run: 'run-1', apiVersion: '2026-03-10', need: 'unread-thread', with: { reason: 'mention' } },
    ])
  })

  test('a provider given as a URL may state that it does not support a need', async () => {
    const { url } = await serving(json({ unsupported: 'no clock' }))
    expect(await (await openProvider(url, run)).ask('advance-clock', {})).toEqual({ unsupported: 'no clock' })
  })

  test('a provider with a URL is asked at the end to release the data of the run', async () => {
    const { url, asked } = await serving(json({ given: {} }))
    await (await openProvider(url, run)).release()
    expect(asked).toMatchObject([{ need: 'release', run: 'run-1' }])
  })

  test.each([
    [
      'another status',
      (_: unknown, response: ServerResponse) => void response.writeHead(500).end('out of threads'),
      'answered 500: out of threads',
    ],
    ['text', (_: unknown, response: ServerResponse) => void response.end('fine'), 'JSON'],
    ['another form', json({ thread_id: '7' }), 'neither { "given": … } nor { "unsupported": "…" }'],
    ['both members', json({ given: { thread_id: '7' }, unsupported: 'no' }), 'both "given" and "unsupported"'],
    ['a body without end', json({ given: 'x'.repeat(1024 * 1024) }), 'the body is longer than 1048576 bytes'],
    [
      'no response',
      (_: unknown, response: ServerResponse) => response.destroy(),
      'it closed the connection before it had answered',
    ],
  ])('a provider given as a URL fails on %s, and the error names the need and the cause', async (_, response, reason) => {
    const { url } = await serving(response)
    const asking = (await openProvider(url, run)).ask('unread-thread', {})
    await expect(asking).rejects.toThrow(/the provider at http.*"unread-thread"/)
    await expect(asking).rejects.toThrow(reason)
  })

  const used = new Set<Socket>()
  test.each<[string, (server: Server) => void]>([
    ['idle for a millisecond', (server) => Object.assign(server, { keepAliveTimeout: 1 })],
    ['answered', (server) => server.on('request', (_, response) => response.once('finish', () => response.socket?.end()))],
    ['used again', (server) => server.on('request', ({ socket }) => (used.has(socket) ? socket.destroy() : used.add(socket)))],
  ])('a provider that closes a connection once it is %s responses every question', async (_, prepare) => {
    const { url, asked } = await serving(json({ given: {} }), prepare)
    const provider = await openProvider(url, run)
    for (let turn = 1; turn <= 5; turn += 1) expect(await provider.ask('new-event', { turn })).toEqual({ given: {} })
    expect(asked).toHaveLength(5)
  })

  test('a provider given as a URL fails when it takes longer than twice the timeout', async () => {
    const { url } = await serving(() => {})
    const provider = await openProvider(url, { ...run, timeoutSeconds: 0.05 })
    await expect(provider.ask('unread-thread', {})).rejects.toThrow('the provider at')
  })

  test('a provider given as a URL is abandoned when the run is interrupted, and still asked to release', async () => {
    const interrupted = new AbortController()
    const { url, asked } = await serving(({ need }, response) =>
      need === 'release' ? json({ given: {} })({ need }, response) : interrupted.abort(new Error('interrupted')),
    )
    const provider = await openProvider(url, { ...run, signal: interrupted.signal })
    await expect(provider.ask('unread-thread', {})).rejects.toThrow('the provider at')
    await provider.release()
    expect(asked.map(({ need }) => need)).toEqual(['unread-thread', 'release'])
  })

  test('a provider given as a URL has possible credentials removed from messages', async () => {
    const { url } = await serving(json([]))
    const asking = (await openProvider(`${url}?key=hunter2-secret`, run)).ask('unread-thread', {})
    await expect(asking).rejects.toThrow(/^(?!.*hunter2-secret).*\/provide/s)
  })
})

describe('a provider given as module', () => {
  test('a provider module makes a need by the function of its name, which receives the request and the run', async () => {
    const file = moduleOf(`export default { 'unread-thread': async (wanted, run) => ({ thread_id: '7', wanted, run: run.run }) }`)
    const provider = await openProvider(file, run)
    expect(await provider.ask('unread-thread', { reason: 'mention' })).toEqual({
      given: { thread_id: '7', wanted: { reason: 'mention' }, run: 'run-1' },
    })
  })

  test('a provider module does not support a need when it has no function for it or says so itself', async () => {
    const provider = await openProvider(moduleOf(`export default { 'bulk-inbox': () => ({ unsupported: 'too dear' }) }`), run)
    expect(await provider.ask('bulk-inbox', {})).toEqual({ unsupported: 'too dear' })
    expect(await provider.ask('gist', {})).toEqual({ unsupported: 'the provider module has no function "gist"' })
  })

  test.each([
    ['throws', `export default { gist: () => { throw new Error('no gists today') } }`, 'no gists today'],
    ['does not respond', 'export default { gist: () => new Promise(() => {}) }', 'no response within 0.1 s'],
  ])('a provider module fails when its function %s', async (_, text, reason) => {
    const provider = await openProvider(moduleOf(text), { ...run, timeoutSeconds: 0.05 })
    await expect(provider.ask('gist', {})).rejects.toThrow(`the provider module failed for the need "gist": ${reason}`)
  })

  test.each([
    ['cannot be read', 'export default {', 'cannot be loaded'],
    ['exports nothing of use', 'export default 7', 'has no default export with functions by need name'],
  ])('a provider module fails to load when it %s', async (_, text, reason) => {
    await expect(openProvider(moduleOf(text), run)).rejects.toThrow(reason)
  })

  test('a provider that is no JavaScript file is told as such', async () => {
    const module = moduleOf('export default {}')
    for (const place of [dirname(module), write('provider.py')])
      await expect(openProvider(place, run)).rejects.toThrow(/is no JavaScript file \(.*named by its http\(s\) URL$/)
  })

  test('a provider module need not have a release function', async () => {
    await expect((await openProvider(moduleOf('export default {}'), run)).release()).resolves.toBeUndefined()
  })

  test.each([
    ['throws', `() => { throw new Error('still in use') }`, 'still in use'],
    ['hangs', '() => new Promise(() => {})', 'no response within 0.1 s'],
  ])('a provider module fails when its release %s', async (_, release, reason) => {
    const provider = await openProvider(moduleOf(`export default { release: ${release} }`), { ...run, timeoutSeconds: 0.05 })
    await expect(provider.release()).rejects.toThrow(`for the need "release": ${reason}`)
  })
})
