import type { Method } from '../spec/endpoints.ts'

/** One header line as it was sent, without the white space around its value. */
export type HeaderLine = readonly [name: string, value: string]

/** One exchange in the form that reports store. Long bodies are cut; their full length and hash remain. */
export interface ExchangeRecord {
  id: string
  endpoint: string
  as: string
  request: {
    method: string
    url: string
    /** Absent if every check that read the exchange passed. */
    headers?: HeaderLine[]
    body?: string
  }
  response: {
    status: number
    bodyBytes: number
    /** This and the following members are absent if every check that read the exchange passed. */
    headers?: HeaderLine[]
    /** Absent if the configuration keeps no bodies. */
    body?: string
    bodySha256?: string
    truncated?: boolean
  }
  durationMs: number
}

/** The traffic of one version. */
export interface RequestTotals {
  sent: number
  shared: number
  byMethod: Partial<Record<Method, number>>
  writes: number
  bytes: number
  /** The traffic of each endpoint, the most frequent one first. */
  byEndpoint?: EndpointTraffic[]
  /** Deliberate waits, the longest first. Waits may overlap. */
  waited?: { what: string; seconds: number }[]
  /** How late the effects of the run's requests were, the slowest kind first. */
  lags?: ObservedLag[]
}

/** How late the effects of one kind were: the same operation, looked at in the same way (readings G16). */
export interface ObservedLag {
  effect: string
  /** How often the effect was seen, and how often it was looked for in vain. */
  seen: number
  missed: number
  /** The longest time until the effect was seen. Seconds. */
  slowest: number
}

/** The traffic of a version without any request. */
export const noRequests: RequestTotals = { sent: 0, shared: 0, byMethod: {}, writes: 0, bytes: 0 }

/** The traffic of one endpoint. */
export interface EndpointTraffic {
  endpoint: string
  count: number
  bytes: number
  /** The median and the 95th percentile of the response times. Milliseconds. */
  p50: number
  p95: number
}
