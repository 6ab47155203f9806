import type { HeaderLine } from '../../record/exchange-record.ts'
import type { Caller } from '../exchange/caller.ts'

/** How requests carry the caller's token: `authorization` of a dialect. `Authorization: Bearer TOKEN` unless stated. */
export interface AuthorizationFile {
  /** The word before the token, such as `token`; `Basic` sends the token as password. None is sent with a header of its own unless stated. */
  readonly scheme?: string
  /** The user name beside the token under `Basic`. */
  readonly user?: string
  /** A header in place of Authorization. */
  readonly header?: string
  /** A query parameter in place of a header. */
  readonly query?: string
}

/** A caller's token as one request carries it, and as reports display it: by its name. */
export interface Credential {
  readonly place: 'header' | 'query'
  readonly line: HeaderLine
  readonly display: HeaderLine
  /** The text that reveals the secret. */
  readonly secret: string
}

/** The credential of a caller; none for a caller without a token. */
export function credentialOf({ secret, label }: Caller, file: AuthorizationFile = {}): Credential | undefined {
  if (secret === undefined) return undefined
  const name = `$${label}`
  if (file.query !== undefined) return { place: 'query', line: [file.query, secret], display: [file.query, name], secret }
  const header = file.header ?? 'Authorization'
  const scheme = file.scheme ?? (file.header === undefined ? 'Bearer' : '')
  if (scheme.toLowerCase() !== 'basic') {
    const word = scheme === '' ? '' : `${scheme} `
    return { place: 'header', line: [header, word + secret], display: [header, word + name], secret }
  }
  const user = file.user ?? 'x-access-token'
  const encoded = Buffer.from(`${user}:${secret}`).toString('base64')
  return {
    place: 'header',
    line: [header, `${scheme} ${encoded}`],
    display: [header, `${scheme} ${user}:${name}`],
    secret: encoded,
  }
}
