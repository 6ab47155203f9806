import { areas } from '../spec/endpoints.ts'
import { apiVersions } from '../spec/versions.ts'
import type { Config } from './config.ts'

/** The values of all keys that a configuration omits. */
export const defaults: Config = {
  target: { paths: {} },
  versions: [...apiVersions],
  areas: [...areas],
  claims: { except: [] },
  tokens: [],
  needs: {},
  limits: {
    concurrency: 8,
    requestsPerSecond: 50,
    timeoutSeconds: 10,
    archiveBytes: 8 * 1024 ** 3,
    bodyBytes: 16 * 1024 ** 2,
    headerBytes: 64 * 1024,
    totalBytes: 8 * 1024 ** 3,
    runMinutes: 120,
    versions: 'side-by-side',
  },
  polling: { obey: true, maxWaitSeconds: 120 },
  gate: { strict: false, minJudged: 50, flaky: 'warn', repeats: 2 },
  waivers: [],
  report: { directory: 'reports', formats: ['json', 'junit'], bodyCharacters: 4096, bodies: 'failures', history: false },
}
