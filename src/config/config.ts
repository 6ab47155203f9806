import type { DialectFile } from '../http/dialect.ts'
import type { Area } from '../spec/endpoint.ts'
import type { Permissions, Role, TokenKind } from '../spec/needs.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { QuotaProbe } from '../suite/polling.ts'

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
}

/** A known deviation that the implementer accepts until a date. */
export interface WaiverConfig {
  check: string
  versions?: ApiVersion[]
  reason: string
  owner: string
  link: string
  expires: string
  /** Where it stands: `conformance.config.yaml:31`. Filled in when the file is loaded. */
  at?: string
}

/** What decides the exit code beside the verdict. */
export interface GateConfig {
  /** Warnings are red too. */
  strict: boolean
  maxUntested?: number
  /** The areas and versions whose deviations count; all where absent. */
  mustConform?: { areas?: Area[]; versions?: ApiVersion[] }
  /** What a check that changes its answer comes to: `warn` unless given. */
  flaky?: 'warn' | 'fail'
  /** How often a failed check is judged again before it counts; 2 unless given. */
  repeats?: number
}

/** The configuration after loading: environment substituted, validated, defaults filled in. Plain data, so that it reaches the workers. */
export interface Config {
  target: {
    baseUrl?: string
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
  limits: { concurrency: number; requestsPerSecond: number; timeoutSeconds: number; archiveBytes: number }
  polling: { obey: boolean; maxWaitSeconds: number }
  gate: GateConfig
  waivers: WaiverConfig[]
  report: { directory: string; formats: string[]; bodyCharacters: number }
}
