import { setMaxListeners } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import type { CheckRecord } from '../../record/check-record.ts'
import type { Check, Schedule, Suite } from '../../suite/check.ts'
import { messageOf } from '../../text/message-of.ts'
import { judge } from '../judge/judge.ts'
import { openSession, type Session } from '../judge/session.ts'
import { allChecks, type PlacedCheck } from '../selection.ts'
import type { EngineMessage, VersionResult, WorkerMessage, WorkerPlan } from './messages.ts'
import { repeatFailures } from './repeats.ts'

/** One lane's session inside a vitest worker, connected to the engine. */
export interface Worker {
  /** The checks in the order in which they may run: shared ones first, what reads the record last. */
  readonly checks: readonly PlacedCheck[]
  judge(check: Check, suite: Suite): Promise<void>
  /** Releases what was made and hands over the record. */
  finish(): Promise<void>
}

/** Opens the session of a plan; the engine is told when that fails. */
export async function openWorker(plan: WorkerPlan, suites: readonly Suite[]): Promise<Worker> {
  const line = connect(plan)
  const session = await openSession(plan.config, plan.apiVersion, {
    ...plan,
    signal: line.signal,
    onExchange: ({ sent }) => line.post({ type: 'requests', sent }),
    onWait: (waiting) => line.post({ type: 'waiting', waiting }),
  }).catch((error: unknown) => {
    line.post({ type: 'broken', reason: messageOf(error) })
    throw error
  })
  const startedAt = new Date()
  const placed = allChecks(suites).filter(({ check }) => plan.checks.includes(check.id))
  const failed: CheckRecord[] = []

  return {
    checks: inRunningOrder(placed),
    async judge(check, suite) {
      const record = await judge(check, suite, session)
      if (record.outcome === 'failed') failed.push(record)
      line.post({ type: 'check', record })
    },
    async finish() {
      const repeated = await repeatFailures(failed, placed, session)
      await line.end(resultOf(session, await session.release(), repeated, startedAt))
    },
  }
}

/** A message without the lane that it is about. */
type LaneMessage<Message> = Message extends WorkerMessage ? Omit<Message, 'lane'> : never

/** The worker's end of the engine's channel. */
interface Line {
  /** Aborted when the run is interrupted. */
  readonly signal: AbortSignal
  post(message: LaneMessage<WorkerMessage>): void
  /** Hands over the result and closes the channel once the engine has it. */
  end(result: VersionResult): Promise<void>
}

function connect({ channel: name, lane }: WorkerPlan): Line {
  const channel = new BroadcastChannel(name)
  const cancelled = new AbortController()
  // Every request and wait listens to it; their number is bounded by the slots, not by ten.
  setMaxListeners(0, cancelled.signal)
  let received = () => {}
  const acknowledged = new Promise<void>((resolve) => (received = resolve))
  channel.onmessage = (event) => {
    const message = event.data as EngineMessage
    if (message.type === 'cancel') cancelled.abort(new Error('the run was interrupted'))
    if (message.type === 'received' && message.lane === lane) received()
  }
  const post = (message: LaneMessage<WorkerMessage>) => channel.postMessage({ ...message, lane })
  return {
    signal: cancelled.signal,
    post,
    async end(result) {
      post({ type: 'result', result })
      await acknowledged
      channel.close()
    },
  }
}

/** What the engine gets of a session that is over. */
function resultOf(
  session: Session,
  warning: string | undefined,
  repeated: { records: CheckRecord[]; warnings: string[] },
  startedAt: Date,
): VersionResult {
  return {
    exchanges: session.exchanges.map((exchange) => session.record(exchange)),
    observations: session.observations,
    requests: session.client.totals,
    warnings: [...repeated.warnings, ...(warning === undefined ? [] : [warning])],
    leftBehind: session.leftBehind,
    differences: session.differences,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    repeated: repeated.records,
  }
}

const running: readonly Schedule[] = ['shared', 'alone', 'afterwards', 'across']

/** Shared checks first, then those that run alone, then those that read the record. */
export function inRunningOrder(checks: readonly PlacedCheck[]): PlacedCheck[] {
  const rank = ({ check }: PlacedCheck) => running.indexOf(check.schedule ?? 'shared')
  return [...checks].sort((a, b) => rank(a) - rank(b))
}
