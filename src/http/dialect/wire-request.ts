import type { HeaderLine } from '../../record/exchange-record.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import { requestKinds } from '../../spec/words/object-kinds.ts'
import { defined } from '../../text/data.ts'
import type { WireRequest } from '../exchange/exchange.ts'
import { NotSent } from '../exchange/no-response.ts'
import type { RequestSpec } from '../exchange/request-spec.ts'
import type { Dialect } from './dialect.ts'

/** The target and the version that requests are written for. */
export interface WireTarget {
  readonly dialect: Dialect
  /** The version of the session; a request may name another one. */
  readonly apiVersion: string
  /** The base URL of every version without its own. */
  readonly baseUrl: string
}

/** Many gateways refuse a request without a user agent. */
const userAgent: HeaderLine = ['User-Agent', 'service-conformance']

/** Large lists are some ten times smaller on the wire. */
const gzip: HeaderLine = ['Accept-Encoding', 'gzip']

/** Writes a request in the target's words. Throws for a missing path value, and {@link NotSent} for an inexact number. */
export function toWireRequest(
  spec: RequestSpec,
  { dialect, apiVersion, baseUrl }: WireTarget,
): WireRequest {
  const version = spec.version === undefined ? apiVersion : spec.version
  const { url, display, lines } = addressed(spec, version, { dialect, baseUrl })
  const body =
    spec.body === undefined
      ? undefined
      : JSON.stringify(dialect.toWire(spec.body, requestKinds[endpointLabel(spec.endpoint)]))
  const named = dialect.version.send === 'header' && version !== null
  const versionLine: HeaderLine[] = named
    ? [[dialect.versionHeader, dialect.versionName(version)]]
    : []
  const headers = [...versionLine, userAgent, ...acceptLines(spec, version, dialect)]
  if (spec.headers?.['Accept-Encoding'] === undefined) headers.push(gzip)
  headers.push(...lines)
  for (const [name, value] of Object.entries(spec.headers ?? {}))
    headers.push([dialect.headerName(name), value])
  if (body !== undefined) headers.push(['Content-Type', 'application/json'])
  return {
    method: spec.endpoint.method,
    version:
      dialect.version.send === 'media-type' && carriesNoVersion(spec.accept) ? null : version,
    url,
    headers,
    ...defined({ display }),
    ...(body === undefined ? {} : { body }),
  }
}

function prefixOf(version: string | null, dialect: Dialect) {
  const { send, prefix } = dialect.version
  return send === 'path' && version !== null
    ? prefix.replaceAll('{version}', encodeURIComponent(dialect.versionName(version)))
    : ''
}

/** The Accept header. The media type of some dialects contains the version: in a parameter, or in place of `{version}`. */
function acceptLines(spec: RequestSpec, version: string | null, dialect: Dialect): HeaderLine[] {
  const accept = spec.accept === undefined ? dialect.accept : spec.accept
  if (accept === null) return []
  if (dialect.version.send !== 'media-type') return [['Accept', accept]]
  const name =
    version === null || carriesNoVersion(accept) ? undefined : dialect.versionName(version)
  if (accept.includes('{version}'))
    return [
      [
        'Accept',
        name === undefined
          ? accept.replace(/[.;]?\{version\}/g, '')
          : accept.replaceAll('{version}', name),
      ],
    ]
  return [
    ['Accept', name === undefined ? accept : `${accept}; ${dialect.version.parameter}=${name}`],
  ]
}

/** True without an Accept header and for one that accepts any type, because neither names a version. */
const carriesNoVersion = (accept: string | null | undefined) => accept === null || accept === '*/*'

/** An address, and the lines that only the target receives. */
type Addressed = Pick<WireRequest, 'url' | 'display'> & { readonly lines: readonly HeaderLine[] }

/**
 * The only place that makes the URL of a request and adds a token to it. Throws {@link NotSent} for a path that leaves the origin of
 * its base URL. A whole URL follows a redirect: on another origin it receives no extra headers, and no request with a token.
 */
function addressed(
  spec: RequestSpec,
  version: string | null,
  { dialect, baseUrl }: Pick<WireTarget, 'dialect' | 'baseUrl'>,
): Addressed {
  const base = dialect.baseUrl(version, baseUrl)
  const url = spec.url ?? below(base, prefixOf(version, dialect) + addressOf(spec, dialect))
  if (spec.url !== undefined && !dialect.isTarget(url, baseUrl)) {
    if (spec.as.secret !== undefined) throw foreign(url, base)
    return { url, lines: [] }
  }
  const whole = spec.url ?? url + queryOf(spec.query, dialect)
  const extra = Object.entries(dialect.extraHeaders)
  const credential = dialect.credential(spec.as)
  if (credential?.place !== 'query')
    return {
      url: whole,
      ...(credential ? { display: { header: credential.display } } : {}),
      lines: credential ? [...extra, credential.line] : extra,
    }
  const [name, secret] = credential.line
  return {
    url: withParameter(whole, name, encodeURIComponent(secret)),
    display: { url: withParameter(whole, name, credential.display[1]) },
    lines: extra,
  }
}

/** The URL of a path below a base URL. Throws {@link NotSent} for a path such as `@host`, which would name another server. */
function below(base: string, path: string) {
  const url = base.replace(/\/+$/, '') + path
  const { origin, username } = URL.canParse(url) ? new URL(url) : {}
  if (origin === new URL(base).origin && username === '') return url
  throw foreign(path, base)
}

function foreign(address: string, base: string) {
  return new NotSent({ code: 'foreign-address', address, origin: new URL(base).origin })
}

/** The URL with one query parameter added. It replaces one of that name, because a redirect may repeat it. */
function withParameter(url: string, name: string, value: string) {
  const [address = '', query = ''] = (url.split('#')[0] ?? '').split(/\?(.*)/s)
  const others = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== name)
  return `${address}?${[...others, `${name}=${value}`].join('&')}`
}

function addressOf(spec: RequestSpec, dialect: Dialect) {
  const template =
    spec.path ?? (spec.endpoint.path === null ? null : dialect.template(spec.endpoint.path))
  if (template === null)
    throw new Error(`${endpointLabel(spec.endpoint)} is sent without its configured path`)
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = spec.params?.[name]
    if (value === undefined)
      throw new Error(`${endpointLabel(spec.endpoint)} is sent without its parameter ${name}`)
    // JSON numbers are doubles: a larger id may differ from the target's.
    if (typeof value === 'number' && !Number.isSafeInteger(value))
      throw new NotSent({ code: 'inexact-number', parameter: name, value })
    return encodeURIComponent(String(value).toWellFormed())
  })
}

function queryOf(query: RequestSpec['query'], dialect: Dialect) {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (item) => `${dialect.queryName(name)}=${encodeURIComponent(String(item).toWellFormed())}`,
    ),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
