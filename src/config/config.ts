import type { DialectFile } from '../http/dialect/dialect-file.ts'
import { readSchema } from '../package/schemas.ts'
import type { GateLimits, Waiver } from '../record/run-record.ts'
import type { Area } from '../spec/endpoints.ts'
import type { Permissions, Role, TokenKind } from '../spec/needs.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import type { QuotaProbe } from '../suite/poll-session.ts'

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
  /** The environment variable with the secret; reports contain `$NAME` in place of the secret. */
  variable?: string
}

/** The command that starts a program, and the text that the program prints when it is ready. */
export interface Start {
  command: string
  ready?: string
}

/** The loaded configuration: validated, with the values of environment variables and the defaults. Plain data, so that workers can receive it. */
export interface Config {
  /** The file of the configuration, as the user named it. Absent if the command line alone describes the target. */
  file?: string
  target: {
    /** The name and the release of the server in a comparison of several. */
    name?: string
    version?: string
    baseUrl?: string
    /** The embedded reference server is the target. Then there is no `baseUrl`. */
    reference?: boolean
    start?: Start
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
  /** Starts the program at the URL of the provider. */
  providerStart?: Start
  /** The limits of a run; an optional limit applies only if it is set. `config.schema.json` states the meaning of each key. */
  limits: {
    concurrency: number
    requestsPerSecond: number
    timeoutSeconds: number
    archiveBytes: number
    bodyBytes?: number
    headerBytes?: number
    totalBytes?: number
    runMinutes?: number
    archiveHosts?: string[]
    versions: 'side-by-side' | 'in-turn'
  }
  polling: { obey: boolean; maxWaitSeconds: number }
  gate: GateLimits
  waivers: Waiver[]
  /** The files of the user's own suites: absolute paths, in order. */
  suites?: string[]
  /** The loaded suites, and the names that their checks may use. Undefined until they are loaded. */
  catalogue?: Catalogue
  requirements?: string
  report: {
    directory: string
    formats: string[]
    bodyCharacters: number
    bodies: 'failures' | 'all' | 'none'
    history: boolean
  }
}

/** A configuration with a target, which every function that sends requests needs. */
export interface ReachableConfig extends Config {
  target: Config['target'] & { baseUrl: string }
}

interface Schema {
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The default values of the configuration, from its schema. */
export const defaults = defaultOf(readSchema('config')) as Config

function defaultOf({ default: value, properties = {} }: Schema): unknown {
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, defaultOf(schema)] as const,
  )
  const stated = members.filter(([, member]) => member !== undefined)
  return stated.length === 0 ? value : Object.fromEntries(stated)
}
