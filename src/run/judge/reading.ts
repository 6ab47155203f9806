import { signedAddress } from '../../http/exchange/caller.ts'
import type { Exchange } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { redirectLimit, redirectTarget } from '../../http/exchange/redirect.ts'
import type { Consume } from '../../http/transport/transport.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import type { CheckContext } from '../../suite/context.ts'
import { Untested } from '../../suite/untested.ts'
import type { Session } from './session.ts'
import { noteExchange, type Trace } from './trace.ts'

type Reading = Pick<CheckContext, 'read' | 'send' | 'poll' | 'pollAgain' | 'download' | 'recorded'>

/** The name of requests to an archive in the record. */
const archiveHost = { method: 'GET', path: '(archive)' } as const

/** The part of a check's context that sends requests. It notes each response in `trace`. */
export function reading(session: Session, trace: Trace): Reading {
  const { client, poller, slots } = session
  const note = (exchange: Exchange) => noteExchange(trace, exchange)
  return {
    read: (spec) => unlessThrottled(client.read(spec, note)),
    send: async (spec, options) => {
      const answer = await unlessThrottled(client.send(spec, { onAnswer: note, ...options }))
      return spec.endpoint.method === 'GET' ? answer : refuseLostWrite(answer)
    },
    poll: async (spec, validator, options) => {
      const polled = await unlessThrottled(slots.vacate(() => poller.session(spec, validator, options)))
      const polls = polled.tries.flatMap((made) => [made.source, made.answer])
      for (const exchange of [polled.first, ...polls, ...polled.probes]) note(exchange)
      return polled
    },
    pollAgain: async (spec, validator, value) =>
      note(await unlessThrottled(slots.vacate(() => poller.poll(spec, validator, value)))),
    download: (answer, consume) => download(session, trace, answer, consume),
    recorded: (endpoint) => {
      const { apiVersion } = session.options
      return session.exchanges.of(endpointLabel(endpoint)).filter(({ request }) => request.version === apiVersion)
    },
  }
}

/** A request that the target throttles is no evidence: its check is untested (readings H6). */
async function unlessThrottled<Answer>(sent: Promise<Answer>): Promise<Answer> {
  try {
    return await sent
  } catch (error) {
    if (!(error instanceof NoAnswer && error.traits.throttled)) throw error
    const { status, throttled } = error.traits
    throw new Untested(error.message, [], { code: 'throttled', ...(status === undefined ? {} : { status }), ...throttled })
  }
}

/** A write that is redirected by 301, 302 or 303 would become a GET, which has no effect (readings H7). */
function refuseLostWrite(answer: Exchange): Exchange {
  const isLost = answer.status <= 303 && redirectTarget(answer)?.sameOrigin === true
  if (isLost) throw new Untested(`the request was redirected by ${answer.status}, which does not keep its method`)
  return answer
}

/** Follows redirects to a file on any origin, without a token. No output contains the signature of the address. */
async function download<Result>(
  session: Session,
  trace: Trace,
  answer: Exchange,
  consume: Consume<Result>,
): Promise<{ exchange: Exchange; result?: Result }> {
  let exchange = answer
  for (let hops = 0; hops < redirectLimit; hops += 1) {
    const { url } = redirectTarget(exchange) ?? {}
    if (url === undefined) break
    // Other parameters of a signed address are words, numbers or dates, such as `X-Amz-SignedHeaders=host`: kept out, they would garble every report.
    for (const [name, value] of url.searchParams)
      if (value.length >= 20 || /(sig|signature|token|key|secret|credential)$/i.test(name))
        session.redactor.add(value, 'ARCHIVE_ADDRESS')
    const foreign = !session.dialect.isTarget(url.href, session.options.config.target.baseUrl)
    const spec = { endpoint: archiveHost, as: signedAddress, url: url.href, accept: '*/*', ...(foreign ? { version: null } : {}) }
    const got = await unlessThrottled(session.client.stream({ ...spec, headers: { 'Accept-Encoding': 'identity' } }, consume))
    exchange = noteExchange(trace, got.exchange)
    if ('result' in got) return { exchange, result: got.result }
  }
  return { exchange }
}
