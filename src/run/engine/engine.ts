import { once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { NamedSecret } from '../../http/redaction/redaction.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { messageOf } from '../../text/errors.ts'
import type { Waiting } from '../judge/session.ts'
import type {
  EngineMessage,
  JudgingThread,
  LaneMessage,
  LaneName,
  ProgressMessage,
  RunPlan,
  TargetChange,
  VersionResult,
  WorkerMessage,
} from './messages.ts'

/** Told what happens while a run goes on. */
export interface RunListener {
  check(lane: LaneName, record: CheckRecord): void
  requests(lane: LaneName, sent: number): void
  waiting(lane: LaneName, waiting: Waiting): void
  /** A secret that no output may contain. */
  secret?(named: NamedSecret): void
  /** Judging ended before the provider could be asked to release what it gave. */
  unreleased?(): void
}

/** Listens to nothing. */
export const silent: RunListener = { check() {}, requests() {}, waiting() {} }

/** What came back for one lane; checks without a record were lost by the engine. */
export interface VersionOutcome {
  readonly records: Map<string, CheckRecord>
  result?: VersionResult
  broken?: string
  /** The target accepts no connection, so that no request was sent. */
  readonly unreachable?: boolean
  /** What the lane made and has not removed, in the order in which it was made. */
  readonly made: string[]
}

/** A run of one or more lanes. */
export interface EngineRun {
  readonly finished: Promise<Map<LaneName, VersionOutcome>>
  /** Ends the run within a second; what was judged so far is kept. */
  cancel(): void
}

/** The most that the judging thread may keep: a target that sends more ends the thread and not the process. MiB. */
const largestHeap = 1024

/** Short-lived values take little room: with the usual room a run takes a sixth more memory and no less time. */
const resourceLimits = { maxOldGenerationSizeMb: largestHeap, maxYoungGenerationSizeMb: 16 }

/** How long an interrupted run may take to release what it made before its thread is ended; the next run releases the rest. Milliseconds. */
const cancelGrace = 300

/** Judges a plan in a thread of its own. */
export function startEngine(plan: RunPlan, listener: RunListener): EngineRun {
  const collector = new Collector(plan, listener)
  const judging = canLoadSources ? judgeInThread(plan, collector) : judgeHere(plan, collector)
  return { finished: judging.ended.then(() => collector.collected()), cancel: judging.cancel }
}

/** Collects what comes back from the worker. */
class Collector {
  readonly outcomes: Map<LaneName, VersionOutcome>
  readonly #listener: RunListener
  readonly #concluded = new Set<LaneName>()

  constructor({ lanes }: RunPlan, listener: RunListener) {
    this.#listener = listener
    this.outcomes = new Map(lanes.map(({ lane }) => [lane, { records: new Map(), made: [] }]))
  }

  receive(message: WorkerMessage): void {
    if (message.type === 'progress') this.#progressed(message)
    else this.#heard(this.outcomes.get(message.lane), message)
  }

  #progressed(message: ProgressMessage): void {
    for (const named of message.secrets) this.#listener.secret?.(named)
    this.#changed(message.changes)
    for (const [lane, sent] of message.sent) this.#listener.requests(lane, sent)
    for (const { lane, waiting } of message.waiting) this.#listener.waiting(lane, waiting)
    for (const { lane, record } of message.records) {
      this.outcomes.get(lane)?.records.set(record.id, record)
      this.#listener.check(lane, record)
    }
  }

  #heard(outcome: VersionOutcome | undefined, message: LaneMessage): void {
    if (!outcome) return
    this.#concluded.add(message.lane)
    if (message.type === 'broken') outcome.broken = message.reason
    else {
      outcome.result = message.result
      for (const record of message.result.repeated) outcome.records.set(record.id, record)
    }
  }

  #changed(changes: readonly TargetChange[]): void {
    for (const { lane, did, what } of changes) {
      const made = this.outcomes.get(lane)?.made ?? []
      const last = made.lastIndexOf(what)
      if (did === 'make') made.push(what)
      else if (last >= 0) made.splice(last, 1)
    }
  }

  /** What came back, when nothing more will come. */
  collected(): Map<LaneName, VersionOutcome> {
    if (this.#concluded.size < this.outcomes.size) this.#listener.unreleased?.()
    return this.outcomes
  }

  /** Notes why the lanes that have no result will have none. */
  broken(reason: string): void {
    for (const outcome of this.outcomes.values()) if (!outcome.result) outcome.broken ??= reason
  }
}

interface Judging {
  readonly ended: Promise<unknown>
  cancel(): void
}

const cancelling: EngineMessage = 'cancel'
const entry = new URL(`./entry${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/** The tests of this package judge from its TypeScript sources, which only newer versions of Node load into a thread. */
const canLoadSources = entry.pathname.endsWith('.js') || Boolean((process.features as { typescript?: unknown }).typescript)

/** A thread that loads the checks, or has loaded them, and waits for its plan. */
let ready: Worker | undefined

/** Starts the thread of the next run, which loads the checks while the run is prepared. It keeps no process alive. */
export function warmUp(): void {
  if (!canLoadSources) return
  ready = newThread()
  ready.unref()
  // Whatever it is, the thread that is started in its place says it when it is listened to.
  ready.once('error', () => {
    ready = undefined
  })
}

function newThread(): Worker {
  const workerData: JudgingThread = { judges: true }
  return new Worker(entry, { workerData, resourceLimits })
}

function judgeInThread(plan: RunPlan, collector: Collector): Judging {
  const worker = ready ?? newThread()
  ready = undefined
  worker.ref()
  worker.postMessage(plan)
  worker.on('message', (message: WorkerMessage) => collector.receive(message))
  worker.on('error', (error) => collector.broken(describeLoss(error)))
  let overdue: NodeJS.Timeout | undefined
  const cancel = () => {
    worker.postMessage(cancelling)
    overdue ??= setTimeout(() => void worker.terminate(), cancelGrace)
  }
  const ended = new Promise((resolve) => worker.once('exit', resolve)).finally(() => clearTimeout(overdue))
  return { ended, cancel }
}

function judgeHere(plan: RunPlan, collector: Collector): Judging {
  const { port1, port2 } = new MessageChannel()
  port1.on('message', (message: WorkerMessage) => collector.receive(message))
  const judged = (import(/* @vite-ignore */ entry.href) as Promise<{ work: (plan: RunPlan, port: MessagePort) => Promise<void> }>)
    .then(({ work }) => work(plan, port2))
    .catch((error: unknown) => collector.broken(messageOf(error)))
  return { ended: Promise.all([judged, once(port1, 'close')]), cancel: () => port1.postMessage(cancelling) }
}

function describeLoss(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return `judging took more than ${largestHeap} MiB of memory and was ended`
  return `the engine ended: ${messageOf(error)}`
}
