import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { weightOf } from '../../http/exchange/body.ts'
import { NoResponse } from '../../http/exchange/no-response.ts'
import { knownSecrets } from '../../http/redaction/redaction.ts'
import { postJson } from '../../http/transport/connection/post-json.ts'
import { unlessEnded, withDeadline } from '../../http/transport/time/budget.ts'
import { requests } from '../../http/transport/time/clock.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import { isObject } from '../../suite/located.ts'
import { messageOf } from '../../text/errors.ts'
import { cut, printable, show } from '../../text/format.ts'
import { ProviderFailure } from './provider-failure.ts'

/** The response of a provider: a value, or the reason why it has none. */
export type ProviderResponse = { readonly given: unknown } | { readonly unsupported: string }

/** Creates needs on demand on the target. */
export interface Provider {
  /** Throws {@link ProviderFailure} when the provider is unreachable or its response has another form. */
  ask(name: string, specifics: unknown): Promise<ProviderResponse>
  /** Removes the test data of the run. Throws {@link ProviderFailure}. */
  release(): Promise<void>
}

/** Identifies the run towards the provider. */
export interface ProviderRun {
  readonly run: string
  readonly apiVersion: ApiVersion
  readonly timeoutSeconds: number
  /** Ends the requests of needs. The release is requested after an abort too. */
  readonly signal?: AbortSignal | undefined
}

/** The number of failed requests in a row after which the provider receives no further ones. */
const patience = 16

/** How long a module may take to load. Seconds. */
const loadsWithin = 30

/** The longest response to one need; a need is a small JSON object. Bytes. */
const largestBody = 1024 * 1024

type Ask = (need: string, specifics: unknown, signal?: AbortSignal) => Promise<ProviderResponse>

/** Opens a provider given as an http(s) URL or as the absolute path of a module. */
export async function openProvider(address: string, run: ProviderRun): Promise<Provider> {
  const [source, failed] = isUrl(address)
    ? [
        urlSource(address, run),
        `the provider at ${plainAddress(address)} returned no usable response`,
      ]
    : [await moduleSource(address, run), 'the provider module failed']
  const ask: Ask = (need, specifics, signal) =>
    source(need, specifics ?? {}, signal).catch((error: unknown) => {
      const reason = printable(whyUnanswered(error, run.timeoutSeconds))
      const asked = Object.keys(specifics ?? {}).length > 0 ? ` with ${show(specifics)}` : ''
      throw new ProviderFailure(
        `${failed} for the need "${need}"${asked}: ${reason}`,
        `${failed}: ${reason}`,
      )
    })
  return {
    ask: (need, specifics) => requests.tracePromise(() => ask(need, specifics, run.signal)),
    release: async () => void (await ask('release', {})),
  }
}

/** True for a provider behind a URL; any other is a module. */
export function isUrl(address: string) {
  return /^https?:\/\//.test(address)
}

/** A provider's address for messages: user, password and query may be credentials. */
export function plainAddress(url: string) {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** Why there is no response, with the name of the limit. */
function whyUnanswered(error: unknown, seconds: number) {
  const traits = error instanceof NoResponse ? error.traits : {}
  if (traits.timedOut) return `it did not respond within ${seconds} s (limits.timeoutSeconds)`
  if (traits.dropped) return 'it closed the connection before it had answered'
  return messageOf(error)
}

/** A provider behind a URL, in protocol 1: one POST of JSON for each need, and one for `release` at the end. */
function urlSource(url: string, { run, apiVersion, timeoutSeconds }: ProviderRun): Ask {
  let unanswered = 0
  return async (need, specifics, signal) => {
    if (unanswered >= patience && need !== 'release')
      throw new Error(`it left ${patience} questions in a row unanswered`)
    const question = { protocol: 1, run, apiVersion, need, with: specifics }
    const posted = postJson(url, question, { timeout: timeoutSeconds * 1000, largestBody, signal })
    const { status, text } = await posted.catch((error: unknown) => {
      unanswered += 1
      throw error
    })
    unanswered = 0
    if (status !== 200)
      throw new Error(`answered ${status}: ${cut(knownSecrets.redact(text), 200)}`)
    if (typeof weightOf(Buffer.from(text)) === 'string')
      throw new Error('the response nests too deep or has too many values')
    const response: unknown = JSON.parse(text)
    if (isRefusal(response) && 'given' in response)
      throw new Error('the response has both "given" and "unsupported"')
    if (isRefusal(response)) return { unsupported: response.unsupported }
    if (isObject(response) && 'given' in response) return { given: response.given }
    throw new Error('the response is neither { "given": … } nor { "unsupported": "…" }')
  }
}

function isRefusal(response: unknown): response is { unsupported: string } {
  return isObject(response) && typeof response.unsupported === 'string'
}

type ModuleMember = (specifics: unknown, run: ProviderRun) => unknown

/** A provider in a module. Its default export has one async function for each need, and optionally `release`. */
async function moduleSource(file: string, run: ProviderRun): Promise<Ask> {
  const members = await importMembers(file, run.signal)
  return async (need, specifics, signal) => {
    const member = members[need]
    if (!member) return { unsupported: `the provider module has no function "${need}"` }
    const seconds = run.timeoutSeconds * 2
    const response = async () => member(specifics, run)
    const given = await inTime(seconds, signal, response, `no response within ${seconds} s`)
    if (given === undefined)
      return { unsupported: `the function "${need}" of the provider module gave nothing` }
    return isRefusal(given) ? { unsupported: given.unsupported } : { given }
  }
}

/** Waits for work of a module, which listens to no signal. */
function inTime<Result>(
  seconds: number,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
  late: string,
) {
  return withDeadline(
    seconds * 1000,
    signal,
    (ending) => unlessEnded(ending, work()),
    new Error(late),
  )
}

/** The names of the functions of a provider module. Throws {@link ProviderFailure}. */
export async function moduleMembers(file: string): Promise<string[]> {
  const members = await importMembers(file)
  return Object.keys(members).filter((name) => typeof members[name] === 'function')
}

async function importMembers(file: string, signal?: AbortSignal) {
  if (!existsSync(file)) {
    const address = /^[\w.-]+:\d+(\/.*)?$/.exec(basename(file))?.[0]
    const meant = address === undefined ? '' : ` (did you mean "http://${address}"?)`
    throw new ProviderFailure(`there is no provider module ${file}${meant}`)
  }
  if (!/\.[cm]?[jt]s$/.test(file) || !statSync(file).isFile()) {
    const other = 'a program in another language is named by its http(s) URL'
    throw new ProviderFailure(
      `the provider ${file} is no JavaScript file (.mjs, .js, .cjs); ${other}`,
    )
  }
  try {
    const load = () => import(/* @vite-ignore */ pathToFileURL(file).href)
    const late = `it did not load within ${loadsWithin} s`
    const { default: members } = await inTime<{ default: unknown }>(loadsWithin, signal, load, late)
    if (isObject(members)) return members as Record<string, ModuleMember>
  } catch (error) {
    throw new ProviderFailure(
      `the provider module ${file}${lineIn(file, error)} cannot be loaded: ${messageOf(error)}`,
    )
  }
  throw new ProviderFailure(
    `the provider module ${file} has no default export with functions by need name`,
  )
}

/** The line at which a module threw, or of its syntax error: `:3`. A syntax error does not contain its line; Node's syntax check prints it. */
function lineIn(file: string, error: unknown) {
  if (!(error instanceof Error)) return ''
  const line =
    error instanceof SyntaxError
      ? /:(\d+)\n/.exec(
          spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr,
        )?.[1]
      : /^:(\d+)/.exec(error.stack?.split(pathToFileURL(file).href)[1] ?? '')?.[1]
  return line === undefined ? '' : `:${line}`
}
