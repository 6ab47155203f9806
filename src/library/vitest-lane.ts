import { randomUUID } from 'node:crypto'
import type { TestContext } from 'vitest'
import type { ReachableConfig } from '../config/config.ts'
import type { CheckRecord } from '../record/check-record.ts'
import { failureBlock } from '../report/view/findings.ts'
import { judge } from '../run/judge/judge.ts'
import { openSession, type Session } from '../run/judge/session.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { endpointOf, scheduleOf } from '../suite/check.ts'
import { groupBy } from '../text/data.ts'

/** How the checks of a test file are judged. */
export interface LaneOptions {
  /** Sends only GET requests; checks that write are skipped. */
  readonly readOnly?: boolean | undefined
  /** Seed of the property checks; 1 unless given. */
  readonly seed?: number | undefined
}

/** The functions of a test that report a verdict other than a failure. */
type TestNotes = Pick<TestContext, 'skip'> & { readonly annotate?: TestContext['annotate'] }

/** The session of one version inside a test file of the implementer. */
export function vitestLane(apiVersion: ApiVersion, target: () => Promise<ReachableConfig>, { readOnly, seed }: LaneOptions) {
  let session: Session | undefined
  return {
    /** Opens the session; sends nothing yet. */
    async open(): Promise<void> {
      session = await openSession(await target(), apiVersion, { run: randomUUID(), readOnly, seed })
    },
    /** Removes the objects that the checks created. Throws the failure of the provider. */
    async close(): Promise<void> {
      const problem = await session?.release()
      if (problem !== undefined) throw new Error(problem)
    },
    /** Judges one check as a test: throws for a deviation or an error, skips a check without a verdict. */
    async judge({ check, suite }: PlacedCheck, test: TestNotes): Promise<void> {
      if (session === undefined) throw new Error('the session of this version was not opened')
      const record = await judge(check, suite, session)
      const { outcome, detail } = record
      const isFailure = outcome === 'failed' || (outcome === 'warned' && session.options.config.gate.strict)
      // A stack would name only files of this package.
      if (isFailure) throw Object.assign(new Error(blockOf(record, session)), { name: 'Deviation', stack: '' })
      if (outcome === 'errored') throw new Error(`no verdict was possible: ${detail}`)
      if (outcome === 'warned') await test.annotate?.(blockOf(record, session), 'warning')
      else if (outcome !== 'passed') test.skip(`${outcome}: ${detail}`)
    },
  }
}

/** The checks by endpoint; those that run after all others follow in groups of their own. */
export function endpointGroups(checks: readonly PlacedCheck[]): Map<string, PlacedCheck[]> {
  const isLast = ({ check }: PlacedCheck) => scheduleOf(check) === 'afterwards'
  const ordered = [...checks.filter((placed) => !isLast(placed)), ...checks.filter(isLast)]
  const label = ({ check, suite }: PlacedCheck) => endpointLabel(endpointOf(check, suite))
  return groupBy(ordered, (placed) => `${label(placed)}${isLast(placed) ? ', over all requests' : ''}`)
}

function blockOf(record: CheckRecord, session: Session): string {
  const exchanges = session.exchanges.records.filter(({ id }) => record.exchanges.includes(id))
  return failureBlock(record, { exchanges }).join('\n')
}
