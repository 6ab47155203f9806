import type { ExchangeRecord } from '../../record/exchange-record.ts'

/** The flags that print a response with its headers, and a line break so that the next one begins on its own line. */
const printed = "-i -w '\\n'"

/**
 * A `curl` command that repeats a recorded request, with the variable of the token in place of its secret. `output` are the flags of
 * its output, `address` is a shell expression in place of the recorded address.
 */
export function curlOf({ request, as }: ExchangeRecord, output = printed, address?: string): string {
  const { method, headers = [], body, url } = request
  return [
    `curl -sS ${output}`,
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '--head' : `-X ${method}`]),
    // curl reads brackets and braces in an address as patterns unless told otherwise.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...headers.map(([name, value]) => headerOf(name, value, as)),
    ...withoutDefaults(request).map((name) => `-H '${name}:'`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    address ?? addressOf(url, as),
  ].join(' ')
}

/** The option of a header line. curl itself encodes a user name and a token. */
function headerOf(name: string, value: string, as: string): string {
  if (name.toLowerCase() === 'user-agent') return `-A ${quote(value)}`
  const [, basic] = /^Basic (.*:\$.*)$/i.exec(value) ?? []
  const credential = basic ?? value
  // The shell replaces only the variable of the request's own token: the target may have written any other.
  if (!credential.endsWith(`$${as}`)) return `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`
  const known = credential.slice(0, -as.length - 1)
  return basic === undefined ? `-H ${expanding(`${name}: ${known}`, as)}` : `-u ${expanding(known, as)}`
}

/** The address. A token in its query is the last parameter. */
function addressOf(url: string, as: string): string {
  return url.endsWith(`=$${as}`) ? expanding(url.slice(0, -as.length - 1), as) : quote(url)
}

/** A text in which the shell replaces only the variable behind it. */
function expanding(text: string, variable: string): string {
  return `"${text.replace(/[\\"$`]/g, '\\$&')}$${variable}"`
}

/** The headers that curl would add though the recorded request has none. */
function withoutDefaults({ headers = [], body }: ExchangeRecord['request']): string[] {
  const sent = new Set(headers.map(([name]) => name.toLowerCase()))
  const added = ['Accept', ...(body === undefined ? [] : ['Content-Type'])]
  return added.filter((name) => !sent.has(name.toLowerCase()))
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
