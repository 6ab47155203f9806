import type { DialectFile } from '../http/dialect/dialect.ts'
import type { GateLimits, Waiver } from '../record/gate.ts'
import type { Area } from '../spec/endpoint.ts'
import type { Permissions, Role, TokenKind } from '../spec/needs.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { QuotaProbe } from '../suite/quota-measurement.ts'

/** A token as the configuration declares it. */
export interface TokenConfig {
  role?: Role
  kind: TokenKind
  login?: string
  scopes?: string[]
  account?: string
  resourceOwner?: string
  permissions?: Permissions
  secret: string
  /** The environment variable that the secret was read from, where it is all of the secret: reports write `$NAME` for it. */
  variable?: string
}

/** What a target may cost; the last three are unbounded where they are absent. */
interface Limits {
  concurrency: number
  requestsPerSecond: number
  timeoutSeconds: number
  archiveBytes: number
  /** The largest body that is read, but for archives. */
  bodyBytes?: number
  /** All bodies of a run together. */
  totalBytes?: number
  /** How long a run may take; what is left is untested then. */
  runMinutes?: number
  /** Whether the versions are judged at the same time, or one after the other. */
  versions: 'side-by-side' | 'in-turn'
}

/** The configuration after loading: environment substituted, validated, defaults filled in. Plain data, so that it reaches the workers. */
export interface Config {
  /** The file it was read from, as it was named; absent where the command line alone describes the target. */
  file?: string
  target: {
    baseUrl?: string
    /** The embedded reference server is the target; excludes `baseUrl`. */
    reference?: boolean
    paths: { downloadArchive?: string }
    dialect?: DialectFile
    rateLimit?: QuotaProbe
  }
  versions: ApiVersion[]
  areas: Area[]
  claims: { except: string[] }
  tokens: TokenConfig[]
  needs: Record<string, unknown>
  /** An http(s) URL, or the absolute path of a module. */
  provider?: string
  limits: Limits
  polling: { obey: boolean; maxWaitSeconds: number }
  gate: GateLimits
  waivers: Waiver[]
  /** The files of suites of one's own: absolute paths, in order. */
  suites?: string[]
  /** The release whose requirements are judged: `0.1`; those of the installed package unless given. */
  requirements?: string
  report: {
    directory: string
    formats: string[]
    bodyCharacters: number
    bodies: 'failures' | 'all' | 'none'
    /** A line of each run is kept in `history.jsonl`. */
    history: boolean
  }
}

/** A configuration that names its target: what everything takes that sends a request. */
export interface ReachableConfig extends Config {
  target: Config['target'] & { baseUrl: string }
}
