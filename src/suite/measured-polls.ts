import type { Client, RequestSpec } from '../http/client.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import { transientStatuses } from '../http/exchange/retry.ts'
import type { Draw, QuotaCost, QuotaProbe } from '../http/quota-probe.ts'
import { atPointer } from '../text/data.ts'

/** What a poll had of the chain it was measured in: a replay of it, perhaps without the others, sends and judges the same. */
interface Share {
  /** The probes before all polls, and the last one, were sent with this poll. */
  readonly first: boolean
  readonly last: boolean
  readonly quota?: QuotaCost | undefined
  /** False where the poll is to be measured again, apart: not all probes were served, or its chain does not show what each poll cost. */
  readonly settled: boolean
}

/** A poll, and what it cost. */
export interface MeasuredPoll {
  readonly answer: Exchange
  /** The probes that were sent with it. */
  readonly probes: readonly Exchange[]
  readonly share: Share
}

interface Job {
  readonly request: RequestSpec
  /** The name under which a record of the run keeps what is sent. */
  readonly scope: string
  readonly resolve: (measured: MeasuredPoll | Unanswered) => void
  readonly reject: (error: unknown) => void
}

/** A poll that no answer came to. */
interface Unanswered {
  readonly failed: unknown
  readonly share: Share
}

interface Link {
  readonly job: Job
  readonly first: boolean
  readonly answer: Exchange
  readonly probes: Exchange[]
}

/**
 * Measures what polls cost, while nothing else is sent: two probes, then a poll and a probe in turn, then one more probe. The polls
 * of one caller that are due at the same time share a chain, where the probe after one is the probe before the next. Where any 304
 * of a chain costs other than nothing, none of its polls counts as measured: each is to be measured apart (readings B10).
 */
export class MeasuredPolls {
  readonly #client: Client
  readonly #probe: QuotaProbe
  readonly #draw: Draw
  readonly #due = new Map<string, Job[]>()

  constructor(client: Client, probe: QuotaProbe, draw: Draw = (_what, _specifics, make) => make()) {
    this.#client = client
    this.#probe = probe
    this.#draw = draw
  }

  /** Sends a poll and measures it, `apart` from others or in a chain with them. */
  async measure(request: RequestSpec, scope: string, apart: boolean): Promise<MeasuredPoll> {
    const drawn = (make: () => Share | undefined) => this.#draw('share of a chain', scope, make) as Share | undefined
    const recorded = drawn(() => undefined)
    if (recorded) return this.#again({ request, scope }, recorded)
    const measured = await this.#measured(request, scope, apart)
    drawn(() => measured.share)
    if ('failed' in measured) throw measured.failed
    return measured
  }

  #measured(request: RequestSpec, scope: string, apart: boolean): Promise<MeasuredPoll | Unanswered> {
    return new Promise((resolve, reject) => {
      const job = { request, scope, resolve, reject }
      const due = apart ? undefined : this.#due.get(request.as.label)
      if (due) due.push(job)
      else void this.#section([job], request.as.label, apart)
    })
  }

  /** In a replay: what was sent with this poll. */
  async #again(job: Pick<Job, 'request' | 'scope'>, share: Share): Promise<MeasuredPoll> {
    const probes = share.first ? [await this.#read(job), await this.#read(job)] : []
    const answer = await this.#send(job.request)
    try {
      probes.push(await this.#read(job))
      if (share.last) probes.push(await this.#read(job))
    } catch {
      // As then: a probe that was not answered left the poll unsettled.
    }
    return { answer, probes, share }
  }

  async #section(due: Job[], label: string, apart: boolean): Promise<void> {
    const links: Link[] = []
    const close = () => this.#due.get(label) === due && this.#due.delete(label)
    if (!apart) this.#due.set(label, due)
    try {
      await this.#client.exclusively(() => this.#chain(due, links, close))
    } catch (error) {
      close()
      for (const link of links) resolve(link, { first: link.first, last: false, settled: false })
      if (links.length === 0) due.shift()?.reject(error)
      for (const job of due) void this.#section([job], label, true)
    }
  }

  /** Polls that become due meanwhile join until the last one is measured. */
  async #chain(due: Job[], links: Link[], close: () => void): Promise<void> {
    const [leader] = due
    const before = leader ? [await this.#read(leader), await this.#read(leader)] : []
    let whole = true
    for (let job = due[0]; job; job = due[0]) {
      const first = job === leader
      const answer = await this.#poll(job, first)
      due.shift()
      whole &&= answer !== undefined
      if (!answer) continue
      const link = { job, first, answer, probes: first ? before : [] }
      links.push(link)
      link.probes.push(await this.#read(job))
    }
    close()
    const last = links.at(-1)
    last?.probes.push(await this.#read(last.job))
    settle(links, whole ? this.#probe : undefined)
  }

  #poll({ request, scope, resolve }: Job, first: boolean): Promise<Exchange | undefined> {
    return this.#client
      .within(scope, () => this.#send(request))
      .catch((failed: unknown) => {
        resolve({ failed, share: { first, last: false, settled: false } })
        return undefined
      })
  }

  #send(request: RequestSpec): Promise<Exchange> {
    return this.#client.send(request, { once: true, tapped: true, exclusive: true })
  }

  #read({ request: { as }, scope }: Pick<Job, 'request' | 'scope'>): Promise<Exchange> {
    const { path } = this.#probe
    const endpoint = { method: 'GET', path } as const
    return this.#client.within(scope, () => this.#client.send({ endpoint, path, as }, { exclusive: true, once: true }))
  }
}

/** Tells each poll of a chain what it cost; without a probe where not all of them were answered. */
function settle(links: readonly Link[], probe: QuotaProbe | undefined): void {
  const probes = links.flatMap((link) => link.probes)
  const served = probe !== undefined && !probes.some(({ status }) => transientStatuses.has(status))
  const costs = probe ? costsOf(probes, probe) : []
  const even = costs.every((cost, index) => links[index]?.answer.status === 200 || isNothing(cost))
  for (const [index, link] of links.entries()) {
    const next = links[index + 1]
    // A charge that shows late hides behind the rightful cost of a 200.
    const shown = costs.length === 0 || links.length === 1 || (even && (!next || next.answer.status === 304))
    const quota = costs[index]
    resolve(link, { first: link.first, last: !next, ...(quota ? { quota } : {}), settled: served && shown })
  }
}

function resolve({ job, answer, probes }: Link, share: Share): void {
  job.resolve({ answer, probes, share })
}

/** What the probes of a chain measure, by poll: nothing where one was not served. */
function costsOf(probes: readonly Exchange[], { pointer, counts }: QuotaProbe): QuotaCost[] {
  const values = probes.map((probe) => (probe.status === 200 ? atPointer(probe.json, pointer) : undefined))
  if (!values.every((value) => typeof value === 'number')) return []
  const sign = counts === 'down' ? 1 : -1
  const spent = values.slice(1).map((value, index) => sign * ((values[index] ?? 0) - value))
  const alone = [spent.at(0) ?? 0, spent.at(-1) ?? 0]
  return spent.slice(1, -1).map((around) => ({ alone, around }))
}

function isNothing({ alone, around }: QuotaCost): boolean {
  return alone.every((spent) => spent === around)
}
