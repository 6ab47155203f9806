import type { ExchangeRecord } from '../../record/exchange-record.ts'

/** A `curl` command that repeats a recorded request, with `$TOKEN_…` in place of the secret. */
export function curlOf({ request }: ExchangeRecord): string {
  const parts = ['curl', '-sS', '-i']
  if (request.method !== 'GET') parts.push('-X', request.method)
  for (const [name, value] of request.headers) parts.push('-H', quoteHeader(`${name}: ${value}`))
  if (request.body !== undefined) parts.push('--data-raw', quote(request.body))
  return [...parts, quote(request.url)].join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Only the name that stands for a secret is left to the shell. */
function quoteHeader(line: string): string {
  const [, before, variable, after] = /^(Authorization: Bearer )(\$TOKEN_[A-Z0-9_]+)(.*)$/s.exec(line) ?? []
  return variable === undefined ? quote(line) : `"${before}${variable}${after}"`
}
