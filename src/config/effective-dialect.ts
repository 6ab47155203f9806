import { credentialOf } from '../http/dialect/authorization.ts'
import { Dialect, type DialectFile, headerOf } from '../http/dialect/dialect.ts'
import type { ApiVersion } from '../spec/versions.ts'

/** A dialect as it takes effect: one line for each difference from the document. It contains no value of an extra header. */
export function effectiveDialect(file: DialectFile | undefined, versions: readonly ApiVersion[], baseUrl: string): string[] {
  if (file === undefined) return []
  const dialect = new Dialect(file)
  const { place, shown: [name, value] = [] } = credentialOf({ label: 'TOKEN', secret: 'TOKEN' }, file.authorization) ?? {}
  const names = Object.entries(file.headers ?? {}).map(([word, wire]) => [headerOf(word), wire])
  return [
    ...versions.map((version) => `version ${version}: ${versionText(dialect, version)}, at ${dialect.baseUrl(version, baseUrl)}`),
    `token: ${place === 'query' ? `query parameter ${name}` : `${name}: ${value}`}`,
    `probe: GET ${dialect.template(dialect.probe.path ?? '')}`,
    `accept: ${dialect.accept}`,
    ...pairs('headers', file.headers && Object.fromEntries(names)),
    ...(file.extraHeaders ? [`extra headers: ${Object.keys(file.extraHeaders).join(', ')}`] : []),
    ...pairs('query parameters', file.queryParameters),
    ...pairs('paths', file.paths),
    ...pairs('path words', file.pathWords),
    ...pairs('permissions', file.permissions),
    ...pairs('fields', file.fields),
    ...Object.entries(file.objects ?? {}).flatMap(([kind, words]) => pairs(`fields of ${kind}`, words)),
  ]
}

function versionText(dialect: Dialect, version: ApiVersion): string {
  const { send, parameter, prefix } = dialect.version
  const name = dialect.versionName(version)
  if (send === 'header') return `${dialect.versionHeader}: ${name}`
  if (send === 'path') return `below ${prefix.replaceAll('{version}', name)}`
  if (send === 'none') return 'named nowhere'
  const isInAccept = dialect.accept.includes('{version}')
  return isInAccept ? `Accept: ${dialect.accept.replaceAll('{version}', name)}` : `${parameter}=${name} in the media type`
}

function pairs(title: string, names: Readonly<Record<string, string>> = {}): string[] {
  const words = Object.entries(names).map(([word, wire]) => `${word} → ${wire}`)
  return words.length === 0 ? [] : [`${title}: ${words.join(', ')}`]
}
