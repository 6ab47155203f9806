import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, onTestFinished, test, vi } from 'vitest'
import { frontOf } from '../../../fixtures/proof/hostile/front.ts'
import { type Behave, honest, send } from '../../../fixtures/proof/hostile/wire.ts'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { defaults } from '../../config/config.ts'
import { knownSecrets } from '../../http/redaction/redaction.ts'
import { formsOf } from '../../http/redaction/secret-forms.ts'
import { readRun } from '../../report/files/read.ts'

const { folder, at, write } = temporaryFolder('har')

type Named = Record<'name' | 'value', string>

/** The members of an entry that the tests examine. */
interface Entry {
  readonly _version: string
  readonly _caller: string
  readonly request: { readonly method: string; readonly url: string; readonly headers: Named[]; readonly queryString: Named[] }
  readonly response: {
    readonly status: number
    readonly headers: Named[]
    readonly cookies: Named[]
    readonly redirectURL: string
    readonly content: { readonly size: number; readonly text: string; readonly comment?: string }
  }
}

/** Reports the first violation of the published schema of HAR. */
function violationsOf(har: unknown) {
  const require = createRequire(import.meta.url)
  const schemas: Record<string, { $id: string }> = require('har-schema')
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json'))
  ajv.addSchema(Object.values(schemas))
  const validate = ajv.getSchema('har.json')
  validate?.(har)
  return validate ? validate.errors : 'there is no schema'
}

function read(file: string) {
  const har: { log: { version: string; creator: object; entries: Entry[] } } = JSON.parse(readFileSync(file, 'utf8'))
  expect(violationsOf(har)).toBeNull()
  return har.log
}

/** The result of a run on a target that behaves in a way, with its exchanges in a file. */
async function run(
  name: string,
  { behave = honest, config = {} }: { behave?: Behave; config?: { report?: object; limits?: object } },
  ...words: string[]
) {
  const running = await startReferenceServer()
  const front = await frontOf(running.baseUrl, behave)
  onTestFinished(async () => void (await Promise.all([front.close(), running.close()])))
  const { provider, tokens, target } = running.configure(defaults)
  const directory = at(name)
  const report = { ...config.report, directory }
  const settings = { ...config, target: { ...target, baseUrl: front.origin }, tokens, provider, report }
  const place = write(`${name}.json`, JSON.stringify(settings))
  const file = at(`${name}.har`)
  const called = await commandLine(['run', '--config', place, '--har', file, ...words])
  return { ...called, file, directory, tokens }
}

const only = (...ids: string[]) => ids.flatMap((id) => ['--only', id])

test('a run writes its exchanges as a valid HAR, in the order of their responses', async () => {
  const behave: Behave = (response, request) =>
    send(request, response, { headers: [...response.headers, ['X-Count', `${request.count}`]] })
  const config = { report: { bodyCharacters: 50 }, limits: { concurrency: 1 } }
  const checks = only('events.public.status', 'events.public.page-advances', 'migrations.start.status')
  const { code, file, directory, out } = await run('valid', { behave, config }, ...checks)
  const { version, creator, entries } = read(file)
  expect({ code, version, creator }).toMatchObject({ code: 0, version: '1.2', creator: { name: 'service-conformance' } })
  expect(out).toContain(`${entries.length} exchanges written to ${file} (`)
  const counts = entries.map(({ response }) => Number(response.headers.find(({ name }) => name === 'X-Count')?.value))
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts).toEqual(counts.map((_, index) => Number(counts[0]) + index))
  for (const { apiVersion, requests, exchanges } of readRun(directory).reports) {
    const own = entries.filter(({ _version }) => _version === apiVersion)
    expect(own).toHaveLength(requests.sent)
    for (const { as, request, response } of exchanges) {
      const members = {
        _caller: as,
        request: expect.objectContaining({ method: request.method, url: request.url }),
        response: expect.objectContaining({ status: response.status }),
      }
      expect(own).toContainEqual(expect.objectContaining(members))
    }
  }
  const page = entries.find(({ request }) => request.queryString.some(({ name }) => name === 'page'))
  expect(page?.request.headers.map(({ name }) => name)).toContain('User-Agent')
  const { content } = entries.find(({ response }) => response.content.size > 1000)?.response ?? {}
  expect(content?.text).toMatch(/^\[.{49}…$/)
  expect(content?.comment).toBe('The body was cut at the ellipsis.')
  expect(readdirSync(folder).filter((name) => name.startsWith('valid.har'))).toEqual(['valid.har'])
})

test('a HAR has no secret of the configuration, of the provider or of a redirect', async () => {
  const known = vi.spyOn(knownSecrets, 'add')
  const checks = only('permissions.get-user-emails.*', 'migrations.download.delivers', 'notifications.mark-thread.marks-read')
  const { file, tokens } = await run('secrets', {}, ...checks)
  const secrets = new Set(known.mock.calls.map(([secret]) => secret))
  const text = readFileSync(file, 'utf8')
  expect(tokens.every(({ secret }) => secrets.has(secret))).toBe(true)
  expect(secrets.size).toBeGreaterThan(tokens.length)
  expect([...secrets].flatMap(formsOf).filter((form) => text.includes(form))).toEqual([])
  const { entries } = read(file)
  const signed = entries.filter(({ response }) => response.redirectURL.includes('$ARCHIVE_ADDRESS'))
  expect(signed.length).toBeGreaterThan(0)
  expect(text).toMatch(/"Bearer \$(FINE_GRAINED|CLASSIC|APP_USER)_\w+_TOKEN"/)
})

test('a HAR is valid for addresses and headers that a target invents, and without bodies if reports have none', async () => {
  const behave: Behave = (response, request) => {
    const cookie = ['Set-Cookie', 'a=b=c; Secure'] as const
    if (!request.url.startsWith('/events') || request.url.includes('q='))
      return send(request, response, { headers: [...response.headers, cookie] })
    send(request, { status: 302, headers: [['Location', `${request.url}&q={a|b}[%zz]`], cookie], body: Buffer.alloc(0) })
  }
  const { file } = await run('odd', { behave, config: { report: { bodies: 'none' } } }, ...only('events.public.page-advances'))
  const { entries } = read(file)
  expect(entries.map(({ request }) => request.url).join('\n')).toContain('q=%7Ba%7Cb%7D%5B%25zz%5D')
  expect(entries[0]?.response.cookies).toEqual([{ name: 'a', value: 'b=c' }])
  expect(entries[0]?.response.headers).toContainEqual({ name: 'Set-Cookie', value: 'a=b=c; Secure' })
  expect(new Set(entries.map(({ response }) => response.content.text))).toEqual(new Set(['']))
})

test('an interrupted run leaves a valid HAR', async () => {
  const behave: Behave = (response, request) => {
    send(request, response)
    if (request.count === 60) process.emit('SIGINT')
  }
  const { file, directory } = await run('interrupted', { behave }, '--area', 'events')
  const { entries } = read(file)
  expect(readRun(directory).run.interrupted).toBe(true)
  expect(entries.length).toBeGreaterThan(1)
})

test.each([
  ['a folder', folder, 'it is a folder; a file is accepted'],
  ['a device', '/dev/null', 'it is a device; a file is accepted'],
  [
    'below a file',
    join(import.meta.filename, 'a.har'),
    `${import.meta.filename} is a file; the path of a folder is accepted there`,
  ],
])('a path that is %s is refused before the first request', async (_, file, problem) => {
  let requests = 0
  const behave: Behave = (response, request) => {
    requests += 1
    send(request, response)
  }
  const { code, err } = await run('refused', { behave }, ...only('events.public.status'), '--har', file)
  expect({ code, err, requests }).toEqual({ code: 2, err: expect.stringContaining(`--har "${file}": ${problem}`), requests: 0 })
})

test('a HAR that can no longer be written ends the run with exit code 3', async () => {
  const behave: Behave = (response, request) => {
    for (const name of readdirSync(folder).filter((each) => each.startsWith('lost.har.'))) rmSync(at(name), { recursive: true })
    send(request, response)
  }
  const { code, err, file } = await run('lost', { behave }, ...only('events.public.status'))
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(`the exchanges were not written to ${file}: ENOENT`) })
})
