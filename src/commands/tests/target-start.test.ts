import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { drawnPort, listeningOn } from '../../../fixtures/samples/target/scripted-target.ts'
import { tryConnect } from '../../http/transport/connection/reach.ts'
import { packageRoot } from '../../package/root.ts'
import { main } from '../program.ts'

const { folder, server, write } = servedFolder('started')

const relay = (port: string) => `node relay.mjs ${port} & wait`
const stubborn = (port: string) => `node relay.mjs ${port} ignores SIGTERM & wait`

/** A configuration whose server is a shell with a child: a relay to the reference server, which says "ready" late. */
async function configured(ready: string, command = relay) {
  const port = String(drawnPort())
  // An earlier test may have drawn the same port.
  rmSync(join(folder, `${port}.pids`), { force: true })
  write(
    'relay.mjs',
    `import { createServer } from 'node:http'
     import { appendFileSync } from 'node:fs'
     appendFileSync(process.argv[2] + '.pids', process.pid + '\\n')
     if (process.argv[3]) process.on('SIGTERM', () => {})
     createServer(async ({ url, headers }, response) => {
       const relayed = await fetch('${server().baseUrl}' + url, { headers: { accept: headers.accept ?? '*/*' } })
       const kept = [...relayed.headers].filter(([name]) => !/^(content-encoding|transfer-encoding|content-length)$/.test(name))
       response.writeHead(relayed.status, Object.fromEntries(kept)).end(relayed.status === 304 ? undefined : await relayed.text())
     }).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('it is ready'))`,
  )
  const start = JSON.stringify({ command: command(port), ...(ready === '' ? {} : { ready }) })
  const file = write(`${port}.yaml`, `target: { baseUrl: "http://127.0.0.1:${port}", start: ${start} }\n`)
  const pids = () =>
    readFileSync(join(folder, `${port}.pids`), 'utf8')
      .trim()
      .split('\n')
  return { file, baseUrl: `http://127.0.0.1:${port}`, pids }
}

async function call(...words: string[]) {
  const said: string[] = []
  const add = (text: string) => void said.push(text)
  const { suites } = await import('../../../suites/index.ts')
  const only = words.includes('--only') || words[0] === 'provider' ? [] : ['--only', 'events.public.status']
  const code = await main([...words, ...only], async () => suites, { print: add, warn: add })
  return { code, said: said.join('') }
}

/** True for a process that runs. One that has ended may wait for its parent, in the state Z. */
function isAlive(pid: string) {
  try {
    return process.kill(Number(pid), 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** An interrupted command sends the signal and exits, so its processes may end a moment later. */
async function allEnd(pids: () => string[]) {
  while (pids().some(isAlive)) await delay(20)
}

test.each([
  ['', relay],
  ['it is ready', stubborn],
])('run and doctor start the server, ready by "%s", and stop all of its processes: %s', async (ready, command) => {
  const { file, baseUrl, pids } = await configured(ready, command)
  const judged = await call('run', '--config', file, '--out', join(folder, 'reports'))
  expect(judged.said).toContain('conforms on a selection: 2 of')
  expect(await tryConnect(baseUrl, 500)).toBeDefined()
  expect((await call('doctor', '--config', file)).said).toMatch(/GET \/events returned 200/)
  expect(pids().length).toBeGreaterThan(1)
  expect(pids().filter(isAlive)).toEqual([])
  expect(JSON.stringify(readFileSync(join(folder, 'reports', 'run.json'), 'utf8'))).not.toContain('relay.mjs')
})

test('a watch restarts the server at Enter, and its interruption stops all of its processes', async () => {
  const { file, pids } = await configured('it is ready')
  const words = ['run', '--config', file, '--only', 'events.public.status', '--watch', '--out', join(folder, 'watched')]
  const watching = spawn(process.execPath, [join(packageRoot, 'dist', 'src', 'cli.js'), ...words])
  const said = async (times: number) => {
    let text = ''
    for await (const part of watching.stdout.iterator({ destroyOnReturn: false })) {
      text += part
      if (text.split('watching: press Enter').length > times) return
    }
  }
  await said(1)
  watching.stdin.write('\n')
  await said(1)
  watching.kill('SIGINT')
  await once(watching, 'exit')
  expect(pids()).toHaveLength(2)
  await allEnd(pids)
})

test('a watch says why the target can no longer be judged, and judges it again when it can', async () => {
  let isRejecting = false
  const relay = createServer(async ({ url, headers }, response) => {
    if (isRejecting && headers.authorization) return void response.writeHead(401).end('{}')
    const relayed = await fetch(`${server().baseUrl}${url}`, { headers: { authorization: headers.authorization ?? '' } })
    response.writeHead(relayed.status, { 'Content-Type': 'application/json' }).end(await relayed.text())
  })
  const owner = '{ role: owner, kind: classic, login: mona, secret: reference-owner-7f3a1c }'
  const file = write('rejecting.yaml', `target: { baseUrl: "${await listeningOn(relay)}" }\ntokens: [ ${owner} ]\n`)
  const words = ['run', '--config', file, '--only', 'events.public.status', '--watch', '--out', join(folder, 'rejecting')]
  const watching = spawn(process.execPath, [join(packageRoot, 'dist', 'src', 'cli.js'), ...words])
  let said = ''
  for (const stream of [watching.stdout, watching.stderr]) stream.on('data', (text) => (said += text))
  const saidTimes = async (text: string, times: number) => {
    while (said.split(text).length <= times) await delay(20)
  }
  await saidTimes('watching: press Enter', 1)
  isRejecting = true
  watching.stdin.write('\n')
  await saidTimes('press Enter or restart the target to judge again', 2)
  expect(said).toMatch(/the target refuses the token OWNER_TOKEN/)
  expect(said).not.toContain('regression')
  isRejecting = false
  watching.stdin.write('\n')
  await saidTimes('0 changed, 2 unchanged', 1)
  watching.kill('SIGINT')
  expect(await once(watching, 'exit')).toEqual([0, null])
})

test.each([
  ['run', 'SIGTERM'],
  ['run', 'SIGHUP'],
  ['doctor', 'SIGINT'],
] as const)('%s that %s ends while the server starts stops all of its processes', async (command, signal) => {
  const { file, pids, baseUrl } = await configured('it is never ready', stubborn)
  const words = [command, '--config', file, '--only', 'events.public.status']
  const out = command === 'run' ? ['--out', join(folder, 'interrupted')] : []
  const starting = spawn(process.execPath, [join(packageRoot, 'dist', 'src', 'cli.js'), ...words, ...out])
  while ((await tryConnect(baseUrl, 500)) !== undefined) await delay(20)
  starting.kill(signal)
  expect(await once(starting, 'exit')).toEqual([130, null])
  expect(pids()).toHaveLength(1)
  await allEnd(pids)
})

test('provider.start starts the provider after the server, and both are stopped', async () => {
  const target = await configured('it is ready')
  const provider = await configured('', (port) => `node provider.mjs ${port} ${new URL(target.baseUrl).port}`)
  write(
    'provider.mjs',
    `import { createServer } from 'node:http'
     import { appendFileSync } from 'node:fs'
     const [, , port, before] = process.argv
     appendFileSync(port + '.pids', process.pid + '\\n')
     await fetch('http://127.0.0.1:' + before)
     createServer((_, response) => response.end('{"given":{"login":"mona"}}')).listen(Number(port), '127.0.0.1')`,
  )
  const url = provider.baseUrl
  const started = `provider: { url: "${url}", start: { command: node provider.mjs ${new URL(url).port} ${new URL(target.baseUrl).port} } }\n`
  const file = write('both.yaml', readFileSync(target.file, 'utf8') + started)
  const out = join(folder, 'both')
  expect((await call('run', '--config', file, '--only', 'events.user.status', '--out', out)).said).toContain(
    'conforms on a selection: 2 of',
  )
  const { said } = await call('provider', 'check', 'user', '--config', file)
  expect(said).toContain('given')
  for (const { pids, baseUrl } of [target, provider]) {
    expect(pids()).toHaveLength(2)
    expect(pids().filter(isAlive)).toEqual([])
    expect(await tryConnect(baseUrl, 500)).toBeDefined()
  }
  expect(readFileSync(join(out, 'run.json'), 'utf8')).not.toContain('provider.mjs')
})

test('a server that ends at once is named with its last lines, and one that listens already is not judged', async () => {
  const ending = await configured('it is ready', () => 'echo no database; exit 7')
  const { code, said } = await call('run', '--config', ending.file)
  expect([code, said]).toEqual([2, expect.stringMatching(/it ended with 7\. It printed:\nno database\n$/)])
  const taken = write('taken.yaml', `target: { baseUrl: "${server().baseUrl}", start: { command: touch wrong } }\n`)
  expect(await call('doctor', '--config', taken)).toMatchObject({ code: 2, said: expect.stringContaining('listens at') })
  expect(existsSync(join(folder, 'wrong'))).toBe(false)
  expect((await call('run', '--config', taken, '--base-url', server().baseUrl, '--out', join(folder, 'other'))).said).toContain(
    'passed',
  )
})
