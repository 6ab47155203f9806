import type { Client, RequestSpec } from '../http/client.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import { NoAnswer } from '../http/exchange/no-answer.ts'
import { transientStatuses } from '../http/exchange/retry.ts'
import { atPointer } from '../text/data.ts'

/** How a target's quota is read: `target.rateLimit` of the configuration. */
export interface QuotaProbe {
  readonly path: string
  /** JSON pointer to the number. */
  readonly pointer: string
  readonly counts: 'down' | 'up'
}

/** The quota that one probe costs, before and after a poll, and the quota that the poll and one probe cost together. */
export interface QuotaCost {
  readonly alone: readonly number[]
  readonly around: number
  /** Measured with pauses, so that a counter that reports a request late has reported each one before the next (readings G16). */
  readonly patient: boolean
}

/** A poll with its cost. */
export interface MeasuredPoll {
  readonly answer: Exchange
  readonly probes: readonly Exchange[]
  /** Absent where a probe did not return the number. */
  readonly cost?: QuotaCost
  /** False where a probe was not served, so that the poll must be measured again. */
  readonly isSettled: boolean
}

/** How long a counter may take to report a request. Milliseconds. */
const reporting = 500

/** How a poll is measured. */
export interface Measurement {
  readonly client: Client
  readonly probe: QuotaProbe
  /** Pauses between all requests. */
  readonly patient: boolean
  readonly sleep: (milliseconds: number) => Promise<void>
}

/** Sends two probes, the poll and two or three more probes, while no other request is in flight (readings B10). Throws like `Client.send`. */
export function measurePoll({ client, probe, patient, sleep }: Measurement, request: RequestSpec): Promise<MeasuredPoll> {
  const { path } = probe
  const quotaRequest: RequestSpec = { endpoint: { method: 'GET', path }, path, as: request.as }
  const readOnce = () => client.send(quotaRequest, { exclusive: true, once: true })
  const pause = (times: number) => (patient ? sleep(times * reporting) : Promise.resolve())
  // The time between two probes is the same with a poll and without one.
  const readTwice = async () => {
    await pause(1)
    const first = await readOnce()
    await pause(2)
    return [first, await readOnce()]
  }
  return client.traffic.pace.exclusively(async () => {
    const before = await readTwice()
    await pause(1)
    const answer = await client.send(request, { once: true, tapped: true, exclusive: true })
    const after = await readTwice().catch(noProbes)
    const seemsFree = !patient && costOf([...before, ...after], probe)?.every((cost) => cost === 0)
    // Free probes do not prove that the counter reports at once.
    if (seemsFree) await sleep(reporting)
    const probes = [...before, ...after, ...(seemsFree ? await readOnce().then((last) => [last], noProbes) : [])]
    const costs = costOf(probes, probe)
    const isSettled = probes.length >= 4 && !probes.some(({ status }) => transientStatuses.has(status))
    const [first = 0, around = 0, ...others] = costs ?? []
    return { answer, probes, isSettled, ...(costs ? { cost: { alone: [first, ...others], around, patient } } : {}) }
  })
}

function noProbes(error: unknown): Exchange[] {
  if (error instanceof NoAnswer) return []
  throw error
}

/** The quota between each two probes; undefined where a probe did not return the number. */
function costOf(probes: readonly Exchange[], { pointer, counts }: QuotaProbe): number[] | undefined {
  const values = probes.map(({ status, json }) => (status === 200 ? atPointer(json, pointer) : undefined))
  if (values.length < 4 || !values.every((value) => typeof value === 'number')) return undefined
  const sign = counts === 'down' ? 1 : -1
  return values.slice(1).map((value, index) => sign * (Number(values[index]) - Number(value)))
}
