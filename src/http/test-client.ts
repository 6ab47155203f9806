import { Client, type ClientOptions } from './client.ts'
import { Dialect } from './dialect/dialect.ts'
import { scriptedStart, VirtualClock } from './transport/time/test-clock.ts'

/** A client for tests, with a clock that does not wait. The scripted target closes its connections. */
export function openClient(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  return new Client({
    baseUrl,
    apiVersion: '2026-03-10',
    dialect: new Dialect(),
    limits: { concurrency: 8, requestsPerSecond: 1_000_000, timeoutSeconds: 5 },
    maxRetryWaitSeconds: 120,
    clock: new VirtualClock(scriptedStart),
    signal: new AbortController().signal,
    ...options,
  })
}
