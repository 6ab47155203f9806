import type { CheckRecord, GivenNeed } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { printable } from '../../text/format.ts'
import { curlOf } from './curl.ts'

/** The most steps of a reproduction: the last ones. */
const stepsAtMost = 12

/** The replacement for the signature of an archive in a recorded address. */
const signature = '$ARCHIVE_ADDRESS'

/**
 * A shell script that repeats the requests of a deviation: comments on the required tokens and objects, then a `curl` command for each
 * step. Every line is printable.
 */
export function reproductionOf(check: CheckRecord, known: readonly ExchangeRecord[]): string[] {
  const exchanges = exchangesOf(check, known)
  const steps = stepsOf(exchanges)
  const commands = steps.flatMap((step, index) => commandsOf(step, steps[index + 1], index, steps.length))
  return [...givenLines(check.deviation?.given ?? [], exchanges), ...commands].map(printable)
}

/** A request that was sent once, or several times in a row; the exchange is the last. */
interface Step {
  readonly exchange: ExchangeRecord
  readonly times: number
}

function stepsOf(exchanges: readonly ExchangeRecord[]): Step[] {
  const steps: Step[] = []
  for (const exchange of exchanges) {
    const last = steps.at(-1)
    if (last && curlOf(last.exchange) === curlOf(exchange)) steps.splice(-1, 1, { exchange, times: last.times + 1 })
    else steps.push({ exchange, times: 1 })
  }
  return steps.slice(-stepsAtMost)
}

/** The exchanges to repeat, in order: those of the deviation, the writes of the check, and its reads after the last write. */
function exchangesOf({ deviation, exchanges }: CheckRecord, known: readonly ExchangeRecord[]): ExchangeRecord[] {
  const byId = new Map(known.map((exchange) => [exchange.id, exchange]))
  const used = exchanges.flatMap((id) => byId.get(id) ?? [])
  const shown = new Set(deviation?.exchanges ?? [])
  const lastWrite = used.findLastIndex(({ request }) => request.method !== 'GET')
  const needed = used.filter(
    (exchange, index) =>
      shown.has(exchange.id) ||
      exchange.request.method !== 'GET' ||
      (lastWrite >= 0 && index > lastWrite) ||
      leadsTo(exchange, used[index + 1]),
  )
  const only = (deviation?.exchanges ?? []).flatMap((id) => (exchanges.includes(id) ? [] : (byId.get(id) ?? [])))
  return [...needed, ...only]
}

/** True where an exchange redirects to the signed address of the next one. */
function leadsTo({ response }: ExchangeRecord, next: ExchangeRecord | undefined): boolean {
  if (!next?.request.url.includes(signature)) return false
  return response.headers?.some(([name]) => name.toLowerCase() === 'location') === true
}

function commandsOf(step: Step, next: Step | undefined, index: number, count: number): string[] {
  const times = step.times === 1 ? '' : `, sent ${step.times} times`
  const head = count === 1 ? [] : [`# step ${index + 1} of ${count}: ${step.exchange.response.status} was returned${times}`]
  return [...head, commandOf(step.exchange, next?.exchange)]
}

/** The command of one step. A signed address comes from the redirect before it; its archive is written to a file. */
function commandOf(exchange: ExchangeRecord, next: ExchangeRecord | undefined): string {
  if (leadsTo(exchange, next)) return `ARCHIVE_ADDRESS=$(${curlOf(exchange, "-o /dev/null -w '%{redirect_url}'")})`
  return exchange.request.url.includes(signature)
    ? curlOf(exchange, '-D - -o archive.tar.gz', '"$ARCHIVE_ADDRESS"')
    : curlOf(exchange)
}

/** Comments on the sources of the tokens and objects. */
function givenLines(given: readonly GivenNeed[], steps: readonly ExchangeRecord[]): string[] {
  const senders = new Set(steps.map(({ as }) => as))
  return given
    .filter(({ name }) => name === undefined || senders.has(name))
    .map((need) => `# ${need.name === undefined ? objectLine(need) : tokenLine(need, need.name)}`)
}

function tokenLine({ from, with: what }: GivenNeed, name: string): string {
  return from === 'configuration'
    ? `${name}: the secret of the configured token ${what}`
    : `${name}: a new secret; the provider makes one for the need token with ${what}`
}

function objectLine({ need, with: what, given }: GivenNeed): string {
  return `${need}: ${given} was made by the provider for this run; make another: need ${need}${what === '{}' ? '' : ` with ${what}`}`
}
