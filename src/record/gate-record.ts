import type { Area } from '../spec/endpoints.ts'
import type { ApiVersion } from '../spec/versions.ts'

/** A known deviation that the implementer accepts until a date. */
export interface Waiver {
  check: string
  versions?: ApiVersion[]
  reason: string
  owner: string
  link: string
  expires: string
  /** File and line of the entry: `conformance.config.yaml:31`. Set when the file is loaded. */
  at?: string
}

/** The limits that decide the exit code together with the verdict. */
export interface GateLimits {
  /** Warnings count as failures. */
  strict: boolean
  /** The least share of applicable must checks that a conclusive verdict requires. Percent. */
  minJudged: number
  maxUntested?: number
  /** The areas and versions whose deviations count; all where absent. */
  mustConform?: { areas?: Area[]; versions?: ApiVersion[] }
  /** The outcome of a check whose repeats differ. */
  flaky: 'warn' | 'fail'
  /** How often a failed check is judged again. */
  repeats: number
}

/** A waiver with its state at the time of the run. */
export interface WaiverRecord extends Waiver {
  /** `unused`: its check was not judged. `stale`: its check passes. */
  state: 'active' | 'expiring' | 'expired' | 'stale' | 'unused'
}

/** The limits of the gate, with its result. */
export interface GateRecord extends GateLimits {
  /** The result over the areas and versions that must conform, and the limits. */
  result: 'passed' | 'failed' | 'inconclusive'
  /** Sentences about missed limits and invalid waivers. */
  missed: string[]
  /** Sentences about an inconclusive result: checks without a verdict, or too few judged checks. */
  open: string[]
  /** Sentences about waivers that need attention soon. */
  warnings: string[]
}
