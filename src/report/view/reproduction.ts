import type { CheckRecord, GivenNeed } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { printable } from '../../text/format.ts'
import { curlOf } from './curl.ts'

const stepsAtMost = 12

/** The replacement for the signature of an archive in a recorded address. */
const signature = '$ARCHIVE_ADDRESS'

/**
 * A shell script that repeats the requests of a deviation: comments on the required tokens and objects, then a `curl` command for each
 * step. Every line is printable.
 */
export function reproductionOf(check: CheckRecord, known: readonly ExchangeRecord[]): string[] {
  const exchanges = exchangesOf(check, known)
  const commands = stepsOf(exchanges).flatMap(commandsOf)
  return [...givenLines(check.deviation?.given ?? [], exchanges), ...commands].map(printable)
}

/** The last steps of a reproduction. A step is a request, as often as it was sent in a row. */
function stepsOf(exchanges: readonly ExchangeRecord[]): ExchangeRecord[][] {
  const steps: ExchangeRecord[][] = []
  for (const exchange of exchanges) {
    const [former] = steps.at(-1) ?? []
    if (former && curlOf(former) === curlOf(exchange)) steps.at(-1)?.push(exchange)
    else steps.push([exchange])
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

function commandsOf(step: readonly ExchangeRecord[], index: number, steps: readonly ExchangeRecord[][]): string[] {
  const [last, next] = [step.at(-1) as ExchangeRecord, steps[index + 1]?.at(-1)]
  const times = step.length === 1 ? '' : `, sent ${step.length} times`
  const head = `# step ${index + 1} of ${steps.length}: ${last.response.status} was returned${times}`
  return [...(steps.length === 1 ? [] : [head]), commandOf(last, next)]
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
