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

/** Sends two probes, the poll and two more probes, while no other request is in flight (readings B10). Throws like `Client.send`. */
export function measurePoll(client: Client, probe: QuotaProbe, request: RequestSpec): Promise<MeasuredPoll> {
  const { path } = probe
  const quotaRequest: RequestSpec = { endpoint: { method: 'GET', path }, path, as: request.as }
  const readTwice = async () => {
    const first = await client.send(quotaRequest, { exclusive: true, once: true })
    return [first, await client.send(quotaRequest, { exclusive: true, once: true })]
  }
  return client.exclusively(async () => {
    const before = await readTwice()
    const answer = await client.send(request, { once: true, tapped: true, exclusive: true })
    const probes = [...before, ...(await readTwice().catch(noProbes))]
    const cost = costOf(probes, probe)
    const isSettled = probes.length === 4 && !probes.some(({ status }) => transientStatuses.has(status))
    return { answer, probes, isSettled, ...(cost ? { cost } : {}) }
  })
}

function noProbes(error: unknown): Exchange[] {
  if (error instanceof NoAnswer) return []
  throw error
}

function costOf(probes: readonly Exchange[], { pointer, counts }: QuotaProbe): QuotaCost | undefined {
  const values = probes.map(({ status, json }) => (status === 200 ? atPointer(json, pointer) : undefined))
  const sign = counts === 'down' ? 1 : -1
  const [before = 0, around, after = 0] = values.slice(1).map((value, index) => sign * (Number(values[index]) - Number(value)))
  if (around === undefined || !values.every((value) => typeof value === 'number')) return undefined
  return { alone: [before, after], around }
}
