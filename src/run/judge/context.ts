import fc from 'fast-check'
import { anonymous, type Caller } from '../../http/caller.ts'
import type { Exchange } from '../../http/exchange.ts'
import { redirectTarget, redirectWithin } from '../../http/redirect.ts'
import { endpointLabel } from '../../spec/endpoint.ts'
import type { CheckContext } from '../../suite/context.ts'
import { Deviation } from '../../suite/deviation.ts'
import { ItemsExpectation, ResponseExpectation } from '../../suite/expectations.ts'
import { Untested } from '../../suite/untested.ts'
import { needCatalogue } from '../needs/need-catalogue.ts'
import type { Session } from './session.ts'
import type { Made } from './undo.ts'

/** What a check used and examined while it ran. */
export interface Trace {
  subjects: number
  readonly exchanges: Set<Exchange>
  /** What the check made and how it is undone, in the order it was made. */
  readonly made: Made[]
}

/** The most redirects that a download follows. */
const redirectLimit = 5

/** How requests to wherever an archive lies are named in the record. */
const archiveHost = { method: 'GET', path: '(archive)' } as const

/** The context of one check in one session; everything read is noted in `trace`. */
export function createContext(session: Session, trace: Trace): CheckContext {
  const { client, poller, slots, clock, signal } = session
  const { apiVersion, seed, config } = session.options
  const count = (subjects: number) => {
    trace.subjects += subjects
  }
  const note = (exchange: Exchange) => {
    trace.exchanges.add(exchange)
    return exchange
  }

  return {
    archiveBytes: config.limits.archiveBytes,
    read: async (spec, { direct = false } = {}) => {
      const answer = note(await client.read(spec))
      const url = direct ? undefined : redirectWithin(answer)
      return url === undefined ? answer : note(await client.read({ ...spec, url }))
    },
    send: async (spec, options) => note(await client.send(spec, options)),
    poll: async (spec, validator) => {
      const session = await slots.vacate(() => poller.session(spec, validator))
      for (const exchange of [session.first, ...session.tries.flatMap((made) => [made.source, made.answer])]) note(exchange)
      return session
    },
    pollAgain: async (spec, validator, value) => note(await slots.vacate(() => poller.poll(spec, validator, value))),
    follow: async (answer, spec) => {
      const url = redirectWithin(answer)
      return url === undefined ? undefined : note(await client.send({ ...spec, url }))
    },
    download: async (answer, consume) => {
      let exchange = answer
      for (let hops = 0; hops < redirectLimit; hops += 1) {
        const url = redirectTarget(exchange)
        if (url === undefined) break
        for (const value of url.searchParams.values()) session.redactor.add(value, 'ARCHIVE_ADDRESS')
        const foreign = !session.dialect.isTarget(url.href, config.target.baseUrl)
        const spec = { endpoint: archiveHost, as: anonymous, url: url.href, accept: '*/*', ...(foreign ? { version: null } : {}) }
        const got = await client.stream({ ...spec, headers: { 'Accept-Encoding': 'identity' } }, consume)
        exchange = note(got.exchange)
        if ('result' in got) return { exchange, result: got.result }
      }
      return { exchange }
    },
    shared: <Value>(name: string, make: (t: CheckContext) => Promise<Value>) => {
      const known = session.shared.get(name)
      // Whoever makes it may wait for it; those who only wait must not hold the slots that it needs.
      if (known) return slots.vacate(() => known as Promise<Value>)
      const made = make(createContext(session, { subjects: 0, exchanges: trace.exchanges, made: session.made }))
      session.shared.set(name, made)
      return made
    },
    spelled: (template) => session.dialect.template(template),
    recorded: (endpoint) => {
      const label = endpointLabel(endpoint)
      return session.exchanges.filter(({ request }) => request.endpoint === label && request.version === apiVersion)
    },

    ask: (name, specifics) => session.needs.one({ type: 'need', name, with: specifics }) as never,
    tokenFor: (request) => session.needs.one({ type: 'token', request }) as Promise<Caller>,
    wait: async (seconds, what) => {
      session.options.onWait?.({ what, seconds })
      await slots.vacate(() => clock.sleep(seconds * 1000, signal))
    },
    async eventually(what, attempt, every = 1) {
      const deadline = clock.now() + config.polling.maxWaitSeconds * 1000
      for (;;) {
        const value = await attempt()
        if (value !== undefined || clock.now() >= deadline) return value
        await this.wait(every, what)
      }
    },

    expect: (exchange) => new ResponseExpectation(note(exchange), count),
    expectAll: (items, what) => {
      for (const item of items) note(item.exchange)
      return new ItemsExpectation(items, what, count)
    },
    examined: count,
    deviation: (finding) => {
      throw new Deviation(finding)
    },
    untested: (reason, need) => {
      if (typeof need !== 'string') throw new Untested(reason, need)
      const how = needCatalogue.get(need)?.how ?? ''
      throw new Untested(`${reason}; needs ${need}: ${how}`, [{ need, how }])
    },
    cleanUp: (what, undo) => void trace.made.push({ what, undo }),
    leavesBehind: (what) => void session.leftBehind.push(what),
    missing: async (wanted, otherwise) => {
      await session.needs.one(wanted)
      throw new Untested(otherwise, wanted.type === 'need' ? [{ need: wanted.name, how: otherwise }] : [])
    },
    difference: (difference) => void session.differences.push(difference),
    observe: (topic, what) => void session.observations.push({ topic, what: session.dialect.sentence(what) }),
    property: async (arbitrary, runs, holds) => {
      const result = await fc.check(fc.asyncProperty(arbitrary, holds), { seed, numRuns: runs, endOnFailure: true })
      if (result.failed) throw result.errorInstance ?? new Error('the property was interrupted')
    },
  }
}
