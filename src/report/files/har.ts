import * as fs from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../config/config.ts'
import type { Exchange } from '../../http/exchange/exchange.ts'
import { knownSecrets } from '../../http/redaction/redaction.ts'
import { systemClock } from '../../http/transport/time/clock.ts'
import { suiteIdentity } from '../../package/root.ts'
import type { ExchangeRecord, HeaderLine } from '../../record/exchange-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { messageOf, UsageError } from '../../text/errors.ts'
import { jsonLine } from '../formats/json.ts'

/** An exchange as a line of the temporary file. */
interface KeptExchange {
  readonly lane: LaneName
  readonly startedAt: string
  readonly record: ExchangeRecord
}

/** The bodies in a HAR: those of reports. `failures` and `all` keep the beginning of every body. */
type KeptBodies = Pick<Config['report'], 'bodies' | 'bodyCharacters'>

/** Writes the exchanges of a run as HAR 1.2. A temporary folder beside the file has them until the run ends. */
export class HarFile {
  readonly file: string
  readonly #folder: string
  readonly #lines: string
  readonly #descriptor: number
  readonly #characters: number
  #failure: unknown
  /** The number of exchanges so far. */
  count = 0

  /** Throws {@link UsageError} if no file can be made beside `file`. */
  constructor(file: string, { bodies, bodyCharacters }: KeptBodies) {
    this.#characters = bodies === 'none' ? 0 : bodyCharacters
    try {
      this.file = fs.existsSync(file) ? fs.realpathSync(file) : file
      this.#folder = fs.mkdtempSync(`${this.file}.new-`)
      this.#lines = join(this.#folder, 'lines')
      this.#descriptor = fs.openSync(this.#lines, 'w')
    } catch (error) {
      throw new UsageError(`--har "${file}": ${messageOf(error)}`)
    }
  }

  /** Keeps an exchange that has just ended, without the secrets that are known by now. */
  readonly add = (lane: LaneName, exchange: Exchange) => {
    // A full disk must not change the verdict of a check.
    if (this.#failure !== undefined) return
    const startedAt = new Date(systemClock.now() - exchange.durationMs).toISOString()
    const record = marked(exchange.record(knownSecrets, this.#characters))
    const kept: KeptExchange = { lane, startedAt, record }
    try {
      fs.appendFileSync(this.#descriptor, `${jsonLine(kept)}\n`)
      this.count += 1
    } catch (error) {
      this.#failure = error
    }
  }

  /** Writes the file. Resolves to the reason if that failed; a former file then stays. */
  async write(): Promise<string | undefined> {
    try {
      if (this.#failure !== undefined) throw this.#failure
      const whole = join(this.#folder, 'whole')
      await pipeline(this.#texts(), fs.createWriteStream(whole))
      fs.renameSync(whole, this.file)
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Removes the temporary folder. */
  discard() {
    fs.closeSync(this.#descriptor)
    fs.rmSync(this.#folder, { recursive: true, force: true })
  }

  /** The file in parts: each entry is one line. */
  async *#texts(): AsyncGenerator<string> {
    yield `{"log":{"version":"1.2","creator":${JSON.stringify(suiteIdentity)},"entries":[`
    let before = '\n'
    for await (const line of createInterface({ input: fs.createReadStream(this.#lines) })) {
      // A secret that became known late may be in an earlier exchange.
      yield before + jsonLine(entryOf(knownSecrets.redactJson(JSON.parse(line))))
      before = ',\n'
    }
    yield '\n]}}\n'
  }
}

/** The record with an ellipsis at the end of a cut body: the redactor hides a secret that was cut there. */
function marked({ response, ...record }: ExchangeRecord) {
  const { body, truncated } = response
  return { ...record, response: truncated && body ? { ...response, body: `${body}…` } : response }
}

/** An exchange as an entry of a HAR. Members of the suite begin with an underscore, as the format demands. */
function entryOf({ lane, startedAt, record }: KeptExchange) {
  const { request, response, durationMs } = record
  const { headers: sent = [], body } = request
  const { headers: received = [] } = response
  return {
    _version: lane,
    _endpoint: record.endpoint,
    _caller: record.as,
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      method: request.method,
      url: uriOf(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: valuesOf(sent, 'cookie').flatMap((value) => value.split(';').map(pairOf)),
      headers: sent.map(namedValue),
      queryString: queryOf(request.url),
      ...(body === undefined
        ? {}
        : { postData: { mimeType: valuesOf(sent, 'content-type')[0] ?? '', text: body } }),
      headersSize: -1,
      bodySize: Buffer.byteLength(body ?? ''),
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: valuesOf(received, 'set-cookie').map((value) =>
        pairOf(value.split(';', 1)[0] ?? ''),
      ),
      headers: received.map(namedValue),
      content: contentOf(response),
      redirectURL: valuesOf(received, 'location')[0] ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  }
}

function contentOf({
  headers = [],
  body = '',
  bodyBytes,
  truncated,
}: ExchangeRecord['response']): object {
  const cut = body === '' ? 'The body was not kept.' : 'The body was cut at the ellipsis.'
  return {
    size: bodyBytes,
    mimeType: valuesOf(headers, 'content-type')[0] ?? '',
    text: body,
    ...(truncated ? { comment: cut } : {}),
  }
}

const namedValue = ([name, value]: HeaderLine) => ({ name, value })

function valuesOf(lines: readonly HeaderLine[], wanted: string) {
  return lines.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
}

function pairOf(text: string) {
  const [name = '', ...rest] = text.trim().split('=')
  return { name, value: rest.join('=') }
}

/** The parameters of a URL. Decoding removes a layer of escapes, which may have hidden a secret. */
function queryOf(url: string) {
  const [, query = ''] = url.split('#', 1)[0]?.split(/\?(.*)/s) ?? []
  return [...new URLSearchParams(query)].map(([name, value]) =>
    knownSecrets.redactJson({ name, value }),
  )
}

/** A URL without the characters that a URI excludes (RFC 3986): a target may link to them. */
function uriOf(url: string) {
  const excluded = /(?<=^\w+:\/\/[^/]*\/.*)([^\w\-.~:/?#@!$&'()*+,;=%]|%(?![\da-f]{2}))/gis
  return url.toWellFormed().replace(excluded, encodeURIComponent)
}
