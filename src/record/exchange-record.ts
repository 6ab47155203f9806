import type { Method } from '../spec/endpoint.ts'

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
}
