import type { HeaderLine } from '../../record/exchange-record.ts'
import type { Caller } from '../exchange/caller.ts'
import type { DialectFile } from './dialect-file.ts'

/** A caller's token as one request carries it, and as reports display it: by its name. */
export interface Credential {
  readonly place: 'header' | 'query'
  readonly line: HeaderLine
  readonly display: HeaderLine
  /** The text that reveals the secret. */
  readonly secret: string
}

/** The credential of a caller; none for a caller without a token. */
export function credentialOf({ secret, label }: Caller, file: DialectFile['authorization'] = {}): Credential | undefined {
  if (secret === undefined) return undefined
  const name = `$${label}`
  if (file.query !== undefined) return { place: 'query', line: [file.query, secret], display: [file.query, name], secret }
  const header = file.header ?? 'Authorization'
  const scheme = file.scheme ?? (file.header === undefined ? 'Bearer' : '')
  const word = scheme === '' ? '' : `${scheme} `
  if (scheme.toLowerCase() !== 'basic')
    return { place: 'header', line: [header, word + secret], display: [header, word + name], secret }
  const user = `${file.user ?? 'x-access-token'}:`
  const encoded = Buffer.from(user + secret).toString('base64')
  return { place: 'header', line: [header, word + encoded], display: [header, word + user + name], secret: encoded }
}
