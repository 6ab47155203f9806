import type { Method } from '../spec/endpoints.ts'

export type HeaderLine = readonly [name: string, value: string]

/** One exchange in the form that reports store; bodies are cut, with the full length and hash beside them. */
export interface ExchangeRecord {
  id: string
  endpoint: string
  as: string
  request: { method: string; url: string; headers: HeaderLine[]; body?: string }
  response: {
    status: number
    headers: HeaderLine[]
    /** Absent where the run kept no body of this exchange. */
    body?: string
    bodyBytes: number
    bodySha256: string
    truncated: boolean
  }
  durationMs: number
}

/** What was sent, for the report. */
export interface RequestTotals {
  sent: number
  shared: number
  byMethod: Partial<Record<Method, number>>
  writes: number
  bytes: number
  /** The same by endpoint, the most often asked one first. */
  byEndpoint?: EndpointTraffic[]
  /** What was waited for on purpose, the longest first; waits may have overlapped. */
  waited?: Waited[]
}

/** What one endpoint was asked and answered. */
export interface EndpointTraffic {
  endpoint: string
  count: number
  bytes: number
  /** Half of the answers, and 95 % of them, took at most as long. Milliseconds. */
  p50: number
  p95: number
}

/** Something that was waited for, with the seconds of all such waits. */
interface Waited {
  what: string
  seconds: number
}
