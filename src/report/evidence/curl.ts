import type { ExchangeRecord } from '../../record/exchange-record.ts'

/** A `curl` command that repeats a recorded request, with the name of the token in place of its secret, however the target takes tokens. */
export function curlOf({ request, as }: ExchangeRecord): string {
  const parts = ['curl', '-sS', '-i']
  if (request.method !== 'GET') parts.push('-X', request.method)
  for (const [name, value] of request.headers) parts.push(...headerOf(name, value, as))
  if (request.body !== undefined) parts.push('--data-raw', quote(request.body))
  return [...parts, addressOf(request.url, as)].join(' ')
}

/** A header line; a user name and a token are left to curl, which encodes them. */
function headerOf(name: string, value: string, as: string): string[] {
  const [, basic] = /^Basic (.*:\$.*)$/i.exec(value) ?? []
  const credential = basic ?? value
  if (!credential.endsWith(`$${as}`)) return ['-H', quote(`${name}: ${value}`)]
  const known = credential.slice(0, -as.length - 1)
  return basic === undefined ? ['-H', expanding(`${name}: ${known}`, as)] : ['-u', expanding(known, as)]
}

/** The address; a token in its query is the last parameter. */
function addressOf(url: string, as: string): string {
  const known = url.slice(0, -as.length - 1)
  return url.endsWith(`=$${as}`) ? expanding(known, as) : quote(url)
}

/** A text in which the shell replaces only the variable behind it. */
function expanding(text: string, variable: string): string {
  return `"${text.replace(/[\\"$`]/g, '\\$&')}$${variable}"`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
