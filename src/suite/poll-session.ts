import type { Exchange } from '../http/exchange/exchange.ts'

/** How a target's quota is read: `target.rateLimit` of the configuration. */
export interface QuotaProbe {
  readonly path: string
  /** JSON pointer to the number. */
  readonly pointer: string
  readonly counts: 'down' | 'up'
}

/** Measured costs in requests: of single probes before and after a poll (`alone`), and of the poll together with one probe (`around`). */
export interface QuotaCost {
  readonly alone: readonly number[]
  readonly around: number
  /** Measured with pauses, so that a late counter has counted each request before the next one (readings G16). */
  readonly patient: boolean
}

/** The headers by which a list reports that it has not changed (document: Polling rules 1 and 2). */
export interface Validator {
  readonly response: 'ETag' | 'Last-Modified'
  readonly request: 'If-None-Match' | 'If-Modified-Since'
  /** A value that the target never sent: the response must be 200. */
  readonly foreign: string
}

/** The entity tag. No target sends the foreign one. */
export const entityTag: Validator = {
  response: 'ETag',
  request: 'If-None-Match',
  foreign: '"service-conformance-foreign-validator"',
}

/** The modification date. The foreign date is clearly older (readings B8). */
export const modificationDate: Validator = {
  response: 'Last-Modified',
  request: 'If-Modified-Since',
  foreign: 'Sat, 01 Jan 2000 00:00:00 GMT',
}

/** A poll with the unchanged validator of an earlier response. */
export type PollTry = { readonly source: Exchange; readonly response: Exchange }

/** Conditional polls of one address by one token (readings B11). */
export interface PollSession {
  /** The first read, which carries the foreign validator. */
  readonly first: Exchange
  /** Empty if the first read returned no validator. */
  readonly tries: readonly PollTry[]
  /** The cost of the tries; only with a configured probe that was served. */
  readonly quota?: readonly QuotaCost[]
  /** The session confirms an earlier one, which received no 304. */
  readonly isRepeated: boolean
  /** The reads of the quota. */
  readonly probes: readonly Exchange[]
}
