import { randomUUID } from 'node:crypto'
import type { TestContext } from 'vitest'
import type { ReachableConfig } from '../config/config.ts'
import type { CheckRecord } from '../record/check-record.ts'
import { failureBlock } from '../report/view/failure-block.ts'
import { judge } from '../run/judge/judge.ts'
import { openSession, type Session } from '../run/judge/session.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { endpointOf, scheduleOf } from '../suite/check.ts'

/** How the checks of a test file are judged. */
export interface LaneOptions {
  /** Sends only GET requests; checks that write are skipped. */
  readonly readOnly?: boolean | undefined
  /** Seed of the property checks; 1 unless given. */
  readonly seed?: number | undefined
}

/** The checks of one endpoint. */
interface EndpointGroup {
  readonly title: string
  readonly placed: readonly PlacedCheck[]
}

/** The functions of a test that report a verdict other than a failure. */
type TestNotes = Pick<TestContext, 'skip'> & { readonly annotate?: TestContext['annotate'] }

/** The session of one version inside a test file of the implementer. */
export class VitestLane {
  readonly #version: ApiVersion
  readonly #target: () => Promise<ReachableConfig>
  readonly #options: LaneOptions
  #session: Session | undefined

  constructor(version: ApiVersion, target: () => Promise<ReachableConfig>, options: LaneOptions) {
    this.#version = version
    this.#target = target
    this.#options = options
  }

  /** Opens the session; sends nothing yet. */
  async open(): Promise<void> {
    const { readOnly, seed } = this.#options
    this.#session = await openSession(await this.#target(), this.#version, { run: randomUUID(), readOnly, seed })
  }

  /** Removes the objects that the checks created. Throws the failure of the provider. */
  async close(): Promise<void> {
    const problem = await this.#session?.release()
    if (problem !== undefined) throw new Error(problem)
  }

  /** The checks by endpoint; those that run after all others follow in groups of their own. */
  groups(checks: readonly PlacedCheck[]): EndpointGroup[] {
    const last = ({ check }: PlacedCheck) => scheduleOf(check) === 'afterwards'
    return [
      ...byEndpoint(
        checks.filter((placed) => !last(placed)),
        '',
      ),
      ...byEndpoint(checks.filter(last), ', over all requests'),
    ]
  }

  /** Judges one check as a test: throws for a deviation or an error, skips a check without a verdict. */
  async judge({ check, suite }: PlacedCheck, test: TestNotes): Promise<void> {
    const session = this.#session
    if (session === undefined) throw new Error('the session of this version was not opened')
    const record = await judge(check, suite, session)
    const { outcome, detail } = record
    if (outcome === 'failed' || (outcome === 'warned' && session.options.config.gate.strict)) throw deviationOf(record, session)
    if (outcome === 'errored') throw new Error(`no verdict was possible: ${detail}`)
    if (outcome === 'warned') await test.annotate?.(blockOf(record, session), 'warning')
    else if (outcome !== 'passed') test.skip(`${outcome}: ${detail}`)
  }
}

function byEndpoint(checks: readonly PlacedCheck[], suffix: string): EndpointGroup[] {
  const groups = new Map<string, PlacedCheck[]>()
  for (const placed of checks) {
    const title = `${endpointLabel(endpointOf(placed.check, placed.suite))}${suffix}`
    groups.set(title, [...(groups.get(title) ?? []), placed])
  }
  return [...groups].map(([title, placed]) => ({ title, placed }))
}

/** An error without a stack, which would name only files of this package. */
function deviationOf(record: CheckRecord, session: Session): Error {
  const error = new Error(blockOf(record, session))
  error.name = 'Deviation'
  error.stack = ''
  return error
}

function blockOf(record: CheckRecord, session: Session): string {
  const exchanges = session.exchanges.records.filter(({ id }) => record.exchanges.includes(id))
  return failureBlock(record, { exchanges }).join('\n')
}
