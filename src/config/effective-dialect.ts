import { credentialOf, Dialect, fullName } from '../http/dialect/dialect.ts'
import type { DialectFile, Names } from '../http/dialect/dialect-file.ts'
import type { ApiVersion } from '../spec/versions.ts'

/** The effective settings of a dialect, one in each line; empty without a dialect. No value of an extra header is shown. */
export function effectiveDialect(
  file: DialectFile | undefined,
  versions: readonly ApiVersion[],
  baseUrl: string,
) {
  if (file === undefined) return []
  const dialect = new Dialect(file)
  const secret = credentialOf({ label: 'TOKEN', secret: 'TOKEN' }, file.authorization)
  const [name, value] = secret?.display ?? ['', '']
  return [
    ...versions.map((version) => `version ${version}: ${versionText(dialect, version, baseUrl)}`),
    `token: ${secret?.place === 'query' ? `query parameter ${name}` : `${name}: ${value}`}`,
    `probe: GET ${dialect.template(dialect.probe.path ?? '')}`,
    `accept: ${dialect.accept}`,
    ...pairs(
      'headers',
      Object.fromEntries(
        Object.entries(file.headers ?? {}).map(([word, wire]) => [fullName(word), wire]),
      ),
    ),
    ...(file.extraHeaders ? [`extra headers: ${Object.keys(file.extraHeaders).join(', ')}`] : []),
    ...pairs('query parameters', file.queryParameters),
    ...pairs('paths', file.paths),
    ...pairs('path words', file.pathWords),
    ...pairs('permissions', file.permissions),
    ...pairs('fields', file.fields),
    ...Object.entries(file.objects ?? {}).flatMap(([kind, names]) =>
      pairs(`fields of ${kind}`, names),
    ),
  ]
}

function versionText(dialect: Dialect, version: ApiVersion, baseUrl: string) {
  const { send, parameter, prefix } = dialect.version
  const name = dialect.versionName(version)
  const how = {
    header: `${dialect.versionHeader}: ${name}`,
    'media-type': dialect.accept.includes('{version}')
      ? `Accept: ${dialect.accept.replaceAll('{version}', name)}`
      : `${parameter}=${name} in the media type`,
    path: `below ${prefix.replaceAll('{version}', name)}`,
    none: 'named nowhere',
  }
  return `${how[send]}, at ${dialect.baseUrl(version, baseUrl)}`
}

function pairs(what: string, names: Names | undefined) {
  const words = Object.entries(names ?? {}).map(([word, wire]) => `${word} → ${wire}`)
  return words.length === 0 ? [] : [`${what}: ${words.join(', ')}`]
}
