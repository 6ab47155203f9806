import type { ApiVersion } from '../spec/versions.ts'
import type { Config, ReachableConfig } from './config.ts'

/** The target at a base URL of the command line, which replaces the base URLs of the dialect too. */
export function atOneAddress(target: Config['target'], baseUrl: string) {
  const { dialect, ...rest } = target
  if (dialect === undefined) return { ...rest, baseUrl }
  const { baseUrls: _, ...words } = dialect
  return { ...rest, baseUrl, dialect: words }
}

/** The address of a version in the dialect, or the address of all versions. */
export function baseUrlOf({ baseUrl, dialect }: ReachableConfig['target'], version: ApiVersion) {
  return dialect?.baseUrls?.[version] ?? baseUrl
}

/** True for a URL with a port that exists; the patterns of the schemas accept others. */
export function isReachable(url: string) {
  return URL.canParse(url) && new URL(url).port !== '0'
}

/** A text for a message: each address in it without its password and without its query, as `http://…@host/?…`. */
export function withoutCredentials(text: string) {
  return text.replace(/\/\/[^/]*@/g, '//…@').replace(/(\w:\/\/[^\s"?#]*[?#])[^\s"]+/g, '$1…')
}
