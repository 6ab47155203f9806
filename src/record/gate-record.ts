import type { Area } from '../spec/endpoint.ts'
import type { ApiVersion } from '../spec/versions.ts'

/** A known deviation that the implementer accepts until a date. */
export interface Waiver {
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
export interface GateLimits {
  /** Warnings are red too. */
  strict: boolean
  /** The share of applicable must checks that must be judged before a version's verdict is anything but inconclusive. Percent. */
  minJudged: number
  maxUntested?: number
  /** The areas and versions whose deviations count; all where absent. */
  mustConform?: { areas?: Area[]; versions?: ApiVersion[] }
  /** What a check that changes its answer comes to. */
  flaky: 'warn' | 'fail'
  /** How often a failed check is judged again before it counts. */
  repeats: number
}

/** A waiver as the run found it. */
export interface WaiverRecord extends Waiver {
  /** `unused`: its check was not judged. `stale`: its check passes. */
  state: 'active' | 'expiring' | 'expired' | 'stale' | 'unused'
}

/** What the gate asked for, and what it found. */
export interface GateRecord extends GateLimits {
  /** By the areas and versions that must conform, and the limits. */
  result: 'passed' | 'failed' | 'inconclusive'
  /** Why it failed, beside deviations. */
  missed: string[]
  /** Why it is inconclusive: checks without a verdict, or too few that were judged. */
  open: string[]
  /** What needs attention soon. */
  warnings: string[]
}
