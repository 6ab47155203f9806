import { randomBytes } from 'node:crypto'
import { type Caller, signedAddress } from '../../http/exchange/caller.ts'
import type { Exchange } from '../../http/exchange/exchange.ts'
import { NoResponse } from '../../http/exchange/no-response.ts'
import { redirectLimit, redirectTarget } from '../../http/exchange/redirect.ts'
import type { Consume } from '../../http/transport/connection/receive.ts'
import { howText } from '../../record/reason.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import { catalogueOf } from '../../suite/catalogue.ts'
import type { CheckContext } from '../../suite/context.ts'
import { Deviation } from '../../suite/deviation.ts'
import { ItemsExpectation, ResponseExpectation } from '../../suite/expectations.ts'
import { Untested } from '../../suite/untested.ts'
import { defined } from '../../text/data.ts'
import { randomNumbers } from './random.ts'
import type { Session, SharedValue } from './session.ts'
import { noteExchange, type Trace } from './trace.ts'
import { suspect, waiting } from './waits.ts'

/** The context of one check in one session. It notes each exchange in `trace`. */
export function createContext(session: Session, trace: Trace): CheckContext {
  return {
    apiVersion: session.options.apiVersion,
    archiveBytes: session.options.config.limits.archiveBytes,
    random: randomNumbers(session.options.seed),
    unused: (prefix) => `${prefix}${randomBytes(6).toString('hex')}`,
    shared: (name, make) => shared(session, trace, name, make),
    spelled: (template) => session.dialect.template(template),
    ...reading(session, trace),
    ...asking(session, trace),
    ...waiting(session, trace),
    ...judging(session, trace),
    ...noting(session, trace),
  }
}

/** An object that the first check makes for all checks of a version; its exchanges and missed effects belong to each of them. */
async function shared<Value>(
  session: Session,
  trace: Trace,
  name: string,
  make: (t: CheckContext) => Promise<Value>,
) {
  const known = session.shared.get(name)
  const thing = known ?? makeShared(session, trace, name, make)
  try {
    // The maker needs its slot. Other checks wait without slot and objects, so that the maker can go on.
    const isAwaited = known && !known.isMade
    return (await (isAwaited ? trace.turn.vacate(() => known.value) : thing.value)) as Value
  } finally {
    for (const exchange of thing.exchanges) trace.exchanges.add(exchange)
    for (const suspicion of thing.suspicions) trace.suspicions.add(suspicion)
  }
}

function makeShared(
  session: Session,
  trace: Trace,
  name: string,
  make: (t: CheckContext) => Promise<unknown>,
): SharedValue {
  const exchanges = new Set<Exchange>()
  const suspicions = new Set<string>()
  const context = createContext(session, {
    ...trace,
    exchanges,
    suspicions,
    subjects: 0,
    made: session.made,
  })
  const value = make(context)
  const thing = { value, exchanges, suspicions, isMade: false }
  const note = () => {
    thing.isMade = true
  }
  value.then(note, note)
  session.shared.set(name, thing)
  return thing
}

/** Test data and tokens that a check requests while it runs. */
function asking(
  { needs, options }: Session,
  { given }: Trace,
): Pick<CheckContext, 'ask' | 'tokenFor' | 'missing'> {
  const catalogue = catalogueOf(options.config)
  const take = (value: unknown) => {
    given.add(value)
    return value
  }
  return {
    ask: async (name, specifics) =>
      take(await needs.resolveOne({ type: 'need', name, with: specifics })) as never,
    tokenFor: async (request) => take(await needs.resolveOne({ type: 'token', request })) as Caller,
    missing: async (wanted, otherwise) => {
      await needs.resolveOne(wanted)
      throw new Untested(
        otherwise,
        wanted.type === 'need' ? [catalogue.unfit(wanted, otherwise)] : [],
      )
    },
  }
}

type Judging = Pick<CheckContext, 'expect' | 'expectAll' | 'examined' | 'deviation' | 'untested'>

function judging({ needs, options }: Session, trace: Trace): Judging {
  const catalogue = catalogueOf(options.config)
  const count = (subjects: number) => {
    trace.subjects += subjects
  }
  return {
    examined: count,
    expect: (exchange, ...evidence) =>
      new ResponseExpectation(
        noteExchange(trace, exchange),
        count,
        evidence,
        catalogue.validatorOf,
      ),
    expectAll: (items, what) => {
      for (const { exchange } of items) noteExchange(trace, exchange)
      return new ItemsExpectation(items, what, count, catalogue.validatorOf)
    },
    deviation: (finding) => {
      throw new Deviation(finding)
    },
    untested: (reason, need) => {
      if (typeof need !== 'string') throw new Untested(reason, need)
      const given = [...trace.given].some((value) => needs.wasGivenFor(need, value))
      const wanted = { type: 'need', name: need } as const
      const missing = given ? catalogue.unfit(wanted, reason) : catalogue.missing(wanted)
      const wants = given ? `${need} needs` : `needs ${need}:`
      throw new Untested(`${reason}; ${wants} ${howText(missing)}`, [missing])
    },
  }
}

function noting(
  session: Session,
  { made, endpoint }: Trace,
): Pick<CheckContext, 'cleanUp' | 'leavesBehind' | 'difference' | 'observe'> {
  return {
    cleanUp: (what, undo) => {
      session.leftBehind.push(what)
      made.push({ what, undo })
    },
    leavesBehind: (what) => void session.leftBehind.push(what),
    difference: (difference) => void session.differences.push(difference),
    observe: (topic, what, permits) =>
      void session.observations.push({ ...defined({ endpoint, permits }), topic, what }),
  }
}

type Spec = Parameters<CheckContext['read']>[0]
type Reading = Pick<CheckContext, 'read' | 'send' | 'poll' | 'pollAgain' | 'download' | 'recorded'>

/** The name of requests to an archive in the record. */
const archiveHost = { method: 'GET', path: '(archive)' } as const
const uncompressed = { 'Accept-Encoding': 'identity' }

/** The part of a check's context that sends requests. It notes each response in `trace`. */
function reading(session: Session, trace: Trace): Reading {
  const { client, poller, slots } = session
  const note = (exchange: Exchange) => noteExchange(trace, exchange)
  return {
    read: (spec) => unlessThrottled(spec, () => client.read(spec, note)),
    send: async (spec, options) => {
      const response = await unlessThrottled(spec, () =>
        client.send(spec, { onResponse: note, ...options }),
      )
      return spec.endpoint.method === 'GET' ? response : refuseLostWrite(response)
    },
    poll: async (spec, validator, options) => {
      const confirms = trace.isConfirming
      const polled = await unlessThrottled(spec, () =>
        slots.vacate(() => poller.session(spec, validator, { ...options, confirms })),
      )
      const last = polled.tries.at(-1)
      if (last && last.response.status !== 304) suspect(trace, 'an unchanged list')
      const polls = polled.tries.flatMap((made) => [made.source, made.response])
      for (const exchange of [polled.first, ...polls, ...polled.probes]) note(exchange)
      return polled
    },
    pollAgain: async (spec, validator, value) =>
      note(
        await unlessThrottled(spec, () => slots.vacate(() => poller.poll(spec, validator, value))),
      ),
    download: (response, consume) => download(session, trace, response, consume),
    recorded: (endpoint) => {
      const label = endpointLabel(endpoint)
      const known = new Set([...session.exchanges.of(label), ...trace.exchanges])
      return [...known].filter(
        ({ request }) =>
          request.endpoint === label && request.version === session.options.apiVersion,
      )
    },
  }
}

/** A request that the target throttles is no evidence (readings H6), nor is a 503 that the document lists (readings C23). */
async function unlessThrottled<Result>({ endpoint }: Spec, send: () => Promise<Result>) {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    const { status, throttled } = error.traits
    if (status === 503 && endpointLabel(endpoint) === 'GET /events')
      throw new Untested(error.message, [], { code: 'server-unavailable', status })
    if (!throttled) throw error
    throw new Untested(error.message, [], {
      code: 'throttled',
      ...(status === undefined ? {} : { status }),
      ...throttled,
    })
  }
}

/** A write that is redirected by 301, 302 or 303 would become a GET, which has no effect (readings H7). */
function refuseLostWrite(response: Exchange) {
  const isLost = response.status <= 303 && redirectTarget(response)?.sameOrigin === true
  if (isLost)
    throw new Untested(
      `the request was redirected by ${response.status}, which does not keep its method`,
    )
  return response
}

function notListed(host: string) {
  const need = 'limits.archiveHosts'
  const how = `add ${host} to ${need}`
  return new Untested(`${need} does not list ${host}`, [{ need, kind: 'limit', how }])
}

/** Follows redirects to a file on any origin, without a token. No output contains the signature of the address. */
async function download<Result>(
  session: Session,
  trace: Trace,
  response: Exchange,
  consume: Consume<Result>,
) {
  let exchange = response
  for (let hops = 0; hops < redirectLimit; hops += 1) {
    const { url } = redirectTarget(exchange) ?? {}
    if (url === undefined) break
    // Other parameters of a signed address are words, numbers or dates, such as `X-Amz-SignedHeaders=host`: hiding them would garble every report.
    for (const [name, value] of url.searchParams) {
      if (value.length >= 20 || /(sig|signature|token|key|secret|credential)$/i.test(name))
        session.redactor.add(value, 'ARCHIVE_ADDRESS')
    }
    const { target, limits } = session.options.config
    const foreign = !session.dialect.isTarget(url.href, target.baseUrl)
    const { archiveHosts = [url.host] } = limits
    if (foreign && !archiveHosts.some((host) => host === url.host || host === url.hostname))
      throw notListed(url.host)
    const spec = {
      endpoint: archiveHost,
      as: signedAddress,
      url: url.href,
      accept: '*/*',
      ...(foreign ? { version: null } : {}),
    }
    const got = await unlessThrottled(spec, () =>
      session.client.stream({ ...spec, headers: uncompressed }, consume),
    )
    exchange = noteExchange(trace, got.exchange)
    if ('result' in got) return { exchange, result: got.result }
  }
  return { exchange }
}
