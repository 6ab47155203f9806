import type { CheckRecord, GivenNeed } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { printable } from '../../text/format.ts'

const stepsAtMost = 12

/** The flags of a command that change neither the request's meaning nor the response. */
const ownFlags = / -sS| -w '\\n'| -A '(?:[^'\\]|'\\'')*'/g

/** The replacement for the signature of an archive in a recorded address. */
const signature = '$ARCHIVE_ADDRESS'

/** A shell script of printable lines that repeats a deviation: comments on its tokens and objects, then `curl` commands. */
export function reproductionOf(check: CheckRecord, known: readonly ExchangeRecord[]) {
  const exchanges = exchangesOf(check, known)
  const senders = new Set(exchanges.map(({ as }) => as))
  const needs = (check.deviation?.given ?? []).filter(
    ({ name }) => name === undefined || senders.has(name),
  )
  const given = needs.map((need) => `# ${givenLine(need)}`)
  return [...given, ...stepsOf(exchanges).flatMap(commandsOf)].map(printable)
}

/** The command of the exchange that deviates. It names the number of steps, if others come before it. */
export function lastStep(failing: ExchangeRecord, ...of: Parameters<typeof reproductionOf>) {
  const command = printable(commandOf(failing, undefined).replace(ownFlags, ''))
  const steps = stepsOf(exchangesOf(...of))
  const own = steps.findIndex((step) => step.includes(failing)) + 1
  return own > 0 && steps.length > 1
    ? `step ${own} of ${steps.length} (see --verbose): ${command}`
    : command
}

/** The last steps of a reproduction. A step is a request with its repetitions since the last write. */
function stepsOf(exchanges: readonly ExchangeRecord[]) {
  const steps: ExchangeRecord[][] = []
  for (const exchange of exchanges) {
    const lastWrite = steps.findLastIndex(([first]) => first?.request.method !== 'GET')
    const former = steps
      .slice(Math.max(0, lastWrite))
      .find(([first]) => first && curlOf(first) === curlOf(exchange))
    if (former) former.push(exchange)
    else steps.push([exchange])
  }
  return steps.slice(-stepsAtMost)
}

/** The exchanges to repeat, in order: those of the deviation, the writes of the check, and its reads after the last write. */
function exchangesOf({ deviation, exchanges }: CheckRecord, known: readonly ExchangeRecord[]) {
  const byId = new Map(known.map((exchange) => [exchange.id, exchange]))
  const used = exchanges.flatMap((id) => byId.get(id) ?? [])
  const shown = new Set(deviation?.exchanges ?? [])
  const isShown = ({ id }: ExchangeRecord) => shown.has(id)
  const isWrite = ({ request }: ExchangeRecord) => request.method !== 'GET'
  const lastWrite = used.findLastIndex(isWrite)
  const follows = (index: number) => lastWrite >= 0 && index > lastWrite
  const isNeeded = (one: ExchangeRecord, index: number) =>
    isShown(one) || isWrite(one) || follows(index) || leadsTo(one, used[index + 1])
  const further = [...shown]
    .filter((id) => !exchanges.includes(id))
    .flatMap((id) => byId.get(id) ?? [])
  const needed = [...used.filter(isNeeded), ...further]
  // A longer reproduction is cut to the evidence, if that includes its own writes.
  const evidence = needed
    .slice(needed.findIndex(isShown), needed.findLastIndex(isShown) + 1)
    .filter((one) => isShown(one) || isWrite(one))
  return needed.length > stepsAtMost && evidence.some(isWrite) ? evidence : needed
}

/** True if an exchange redirects to the signed address of the next one. */
function leadsTo({ response }: ExchangeRecord, next: ExchangeRecord | undefined) {
  if (!next?.request.url.includes(signature)) return false
  return response.headers?.some(([name]) => name.toLowerCase() === 'location') === true
}

function commandsOf(
  step: readonly ExchangeRecord[],
  index: number,
  steps: readonly ExchangeRecord[][],
) {
  const last = step.at(-1) as ExchangeRecord
  const next = steps[index + 1]?.at(-1)
  const times = step.length === 1 ? '' : `, sent ${step.length} times`
  const head = `# step ${index + 1} of ${steps.length}: ${last.response.status} was returned${times}`
  return [...(steps.length === 1 ? [] : [head]), commandOf(last, next)]
}

/** The command of one step. A signed address comes from the redirect before it; its archive is written to a file. */
function commandOf(exchange: ExchangeRecord, next: ExchangeRecord | undefined) {
  if (leadsTo(exchange, next))
    return `ARCHIVE_ADDRESS=$(${curlOf(exchange, "-o /dev/null -w '%{redirect_url}'")})`
  return exchange.request.url.includes(signature)
    ? curlOf(exchange, '-D - -o archive.tar.gz', '"$ARCHIVE_ADDRESS"')
    : curlOf(exchange)
}

function givenLine({ need, from, name, with: what, given }: GivenNeed) {
  if (name === undefined) {
    const again = `need ${need}${what === '{}' ? '' : ` with ${what}`}`
    return `${need}: ${given} was made by the provider for this run; make another: ${again}`
  }
  return from === 'configuration'
    ? `${name}: the secret of the configured token ${what}`
    : `${name}: a new secret; the provider makes one for the need token with ${what}`
}

/** The flags that print a response with its headers and a final line break. */
const printed = "-i -w '\\n'"

/** A `curl` command for a recorded request, with the variable of its token. `address` is a shell expression for its address. */
export function curlOf({ request, as }: ExchangeRecord, output = printed, address?: string) {
  const { method, headers = [], body, url } = request
  return [
    `curl -sS ${output}`,
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '--head' : `-X ${method}`]),
    // By default, curl reads brackets and braces in an address as patterns.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...headers.map(([name, value]) => headerOption(name, value, as)),
    ...withoutDefaults(request).map((name) => `-H '${name}:'`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    // A token in an address is its last parameter.
    address ?? (url.endsWith(`=$${as}`) ? expanding(url.slice(0, -as.length - 1), as) : quote(url)),
  ].join(' ')
}

/** The option of a header line. curl itself encodes a user name and a token. */
function headerOption(name: string, value: string, as: string) {
  if (name.toLowerCase() === 'user-agent') return `-A ${quote(value)}`
  if (name.toLowerCase() === 'accept-encoding' && value === 'gzip') return '--compressed'
  const [, basic] = /^Basic (.*:\$.*)$/i.exec(value) ?? []
  const credential = basic ?? value
  // The shell replaces only the variable of the request's own token: the target may have written any other.
  if (!credential.endsWith(`$${as}`))
    return `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`
  const known = credential.slice(0, -as.length - 1)
  return basic === undefined
    ? `-H ${expanding(`${name}: ${known}`, as)}`
    : `-u ${expanding(known, as)}`
}

/** A quoted text and a variable, the only one that the shell replaces. */
function expanding(text: string, variable: string) {
  return `"${text.replace(/[\\"$`]/g, '\\$&')}$${variable}"`
}

/** The headers that curl adds by default, without those of the recorded request. */
function withoutDefaults({ headers = [], body }: ExchangeRecord['request']) {
  const sent = new Set(headers.map(([name]) => name.toLowerCase()))
  return ['Accept', ...(body === undefined ? [] : ['Content-Type'])].filter(
    (name) => !sent.has(name.toLowerCase()),
  )
}

/** A text as one word of a POSIX shell. */
export function quote(text: string) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
