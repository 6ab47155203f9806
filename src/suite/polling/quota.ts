import type { Client } from '../../http/client.ts'
import type { Caller } from '../../http/exchange/caller.ts'
import type { Exchange } from '../../http/exchange/exchange.ts'
import { NoResponse } from '../../http/exchange/no-response.ts'
import type { RequestSpec } from '../../http/exchange/request-spec.ts'
import { isTransient } from '../../http/exchange/retry.ts'
import type { Clock } from '../../http/transport/time/clock.ts'
import { atPointer, remembered } from '../../text/data.ts'
import type { QuotaCost, QuotaProbe } from '../poll-session.ts'

/** A poll with its cost. */
export interface MeasuredPoll {
  readonly response: Exchange
  readonly probes: readonly Exchange[]
  /** Absent if a probe did not return the number. */
  readonly cost?: QuotaCost
  /** False if a probe was not served, so that the poll must be measured again. */
  readonly isSettled: boolean
}

/** True if the quota fell as much with a poll as without one. */
export const isFree = ({ alone, around }: QuotaCost) => alone.every((cost) => cost === around)

/** How long a counter may take to report a request. Milliseconds. */
const reporting = 500

/** How a poll is measured: with others, alone, or alone with pauses between all requests. */
export interface Measuring {
  readonly probe: QuotaProbe
  readonly how: 'together' | 'alone' | 'patient'
}

/** Sends two probes of each caller, the polls and two or three more probes (readings B10). Each poll rejects like `Client.send`. */
export function measurePolls(
  { client, clock, signal }: { client: Client; clock: Clock; signal: AbortSignal },
  { probe, how }: Measuring,
  requests: readonly RequestSpec[],
): Promise<MeasuredPoll>[] {
  const { path } = probe
  const patient = how === 'patient'
  const readOnce = (as: Caller) =>
    client.send({ endpoint: { method: 'GET', path }, path, as }, { exclusive: true, once: true })
  const pause = (times: number) =>
    patient ? clock.sleep(times * reporting, signal) : Promise.resolve()
  // The time between two probes is the same with a poll and without one.
  const readTwice = async (as: Caller) => {
    await pause(1)
    const first = await readOnce(as)
    await pause(2)
    return [first, await readOnce(as)]
  }
  const earlier = new Map<string, Promise<Exchange[]>>()
  const responses = requests.map(async (request) => {
    await remembered(earlier, request.as.label, () => readTwice(request.as))
    await pause(1)
    return client.send(request, { once: true, tapped: true, exclusive: true })
  })
  const readLater = async (as: Caller) => {
    await Promise.allSettled(responses)
    const probes = [
      ...((await earlier.get(as.label)) ?? []),
      ...(await readTwice(as).catch(noProbes)),
    ]
    // If no probe changed the counter, the counter may be late, so it is read once more.
    if (!patient && costOf(probes, probe)?.every((cost) => cost === 0)) {
      await clock.sleep(reporting, signal)
      probes.push(...(await readOnce(as).then((last) => [last], noProbes)))
    }
    return probes
  }
  const all = new Map<string, Promise<Exchange[]>>()
  return requests.map(async ({ as, redirectedFrom }, index) => {
    const probes = await remembered(all, as.label, () => readLater(as))
    const response = await (responses[index] as Promise<Exchange>)
    const costs = costOf(probes, probe)
    const [first = 0, around = 0, ...others] = costs ?? []
    const cost = costs && { alone: [first, ...others], around, patient }
    // A redirect costs a further request, so all probes must take the same way.
    const detours = new Set(probes.map((each) => each.request.redirectedFrom))
    const isSteady = detours.size === 1 && response.request.redirectedFrom === redirectedFrom
    // A joint measurement does not say which poll cost quota, so it is clear only if all polls were free.
    const isClear = requests.length === 1 || !cost || (around <= 1 && isFree(cost))
    const isSettled = probes.length >= 4 && !probes.some(isTransient) && isSteady && isClear
    return { response, probes, isSettled, ...(cost ? { cost } : {}) }
  })
}

function noProbes(error: unknown) {
  if (error instanceof NoResponse) return []
  throw error
}

/** The quota between each two probes; undefined if a probe did not return the number. */
function costOf(
  probes: readonly Exchange[],
  { pointer, counts }: QuotaProbe,
): number[] | undefined {
  const values = probes.map(({ status, json }) =>
    status === 200 ? atPointer(json, pointer) : undefined,
  )
  if (values.length < 4 || !values.every((value) => typeof value === 'number')) return undefined
  const sign = counts === 'down' ? 1 : -1
  return values.slice(1).map((value, index) => sign * (Number(values[index]) - Number(value)))
}
