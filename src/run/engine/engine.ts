import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import { createVitest, type TestUserConfig, type Vitest } from 'vitest/node'
import { packageRoot } from '../../package/root.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { Waiting } from '../judge/session.ts'
import type { EngineMessage, LaneName, VersionResult, WorkerMessage, WorkerPlan } from './messages.ts'

/** Told what happens while a run goes on. */
export interface RunListener {
  check(lane: LaneName, record: CheckRecord): void
  requests(lane: LaneName, sent: number): void
  waiting(lane: LaneName, waiting: Waiting): void
}

/** Listens to nothing. */
export const silent: RunListener = { check() {}, requests() {}, waiting() {} }

/** What came back for one lane; checks without a record were lost by the engine. */
export interface VersionOutcome {
  readonly records: Map<string, CheckRecord>
  result?: VersionResult
  broken?: string
}

/** A run of one or more lanes, one after the other. */
export interface EngineRun {
  readonly finished: Promise<Map<LaneName, VersionOutcome>>
  /** Ends the run within a second; what was judged so far is kept. */
  cancel(): void
}

/** How long after the last test a worker's result is waited for. Milliseconds. */
const resultGrace = 2000

type VersionPlan = Omit<WorkerPlan, 'channel'>

/** Judges each plan in a vitest project of its own. */
export function startEngine(plans: readonly VersionPlan[], listener: RunListener): EngineRun {
  const channel = new EngineChannel(plans, listener)
  return { finished: drive(plans, channel), cancel: () => channel.cancel() }
}

/** The engine's end of the channel: collects the workers' records. */
class EngineChannel {
  readonly name = `service-conformance-${randomUUID()}`
  readonly outcomes: Map<LaneName, VersionOutcome>
  readonly #channel = new BroadcastChannel(this.name)
  readonly #listener: RunListener
  #vitest: Vitest | undefined
  #cancelled = false

  constructor(plans: readonly VersionPlan[], listener: RunListener) {
    this.#listener = listener
    this.outcomes = new Map(plans.map((plan) => [plan.lane, { records: new Map() }]))
    this.#channel.onmessage = (event) => this.#receive(event.data as WorkerMessage)
  }

  attach(vitest: Vitest): void {
    this.#vitest = vitest
    if (this.#cancelled) this.cancel()
  }

  get cancelled(): boolean {
    return this.#cancelled
  }

  cancel(): void {
    this.#cancelled = true
    this.#post({ type: 'cancel' })
    void this.#vitest?.cancelCurrentRun('keyboard-input')
  }

  close(): void {
    this.#channel.close()
  }

  #post(message: EngineMessage): void {
    this.#channel.postMessage(message)
  }

  #receive(message: WorkerMessage): void {
    const outcome = this.outcomes.get(message.lane)
    if (!outcome) return
    if (message.type === 'check') {
      outcome.records.set(message.record.id, message.record)
      this.#listener.check(message.lane, message.record)
    } else if (message.type === 'requests') this.#listener.requests(message.lane, message.sent)
    else if (message.type === 'waiting') this.#listener.waiting(message.lane, message.waiting)
    else if (message.type === 'broken') outcome.broken = message.reason
    else {
      outcome.result = message.result
      for (const record of message.result.repeated) outcome.records.set(record.id, record)
      this.#post({ type: 'received', lane: message.lane })
    }
  }
}

async function drive(plans: readonly VersionPlan[], channel: EngineChannel): Promise<Map<LaneName, VersionOutcome>> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'service-conformance-'))
  const handlers = process.listeners('SIGINT')
  const projects = plans.map((plan, order) => ({
    extends: false as const,
    root: packageRoot,
    cacheDir,
    test: projectOf(plan, channel.name, order),
  }))
  const test = { reporters: [{}], pool: 'threads' as const, isolate: false, passWithNoTests: true, projects }
  const overrides = { configFile: false, root: packageRoot, cacheDir, logLevel: 'silent' as const, test }
  const vitest = await createVitest('test', { config: false, watch: false }, overrides as object)
  for (const handler of process.listeners('SIGINT')) if (!handlers.includes(handler)) process.off('SIGINT', handler)
  channel.attach(vitest)
  try {
    if (!channel.cancelled) await vitest.start()
    await settled(channel)
    return channel.outcomes
  } finally {
    await vitest.close()
    channel.close()
    rmSync(cacheDir, { recursive: true, force: true })
  }
}

function projectOf(plan: VersionPlan, channel: string, order: number): TestUserConfig {
  const file = fileURLToPath(import.meta.url)
  return {
    name: plan.lane,
    include: [join(file, '..', `entry${extname(file)}`)],
    exclude: [],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    // Checks take turns by their own slots, so that a check that only waits blocks none.
    maxConcurrency: plan.checks.length,
    testTimeout: 0,
    hookTimeout: 0,
    sequence: { groupOrder: order },
    server: { deps: { external: [/^(?!.*[\\/]entry\.[jt]s).*$/] } },
    provide: { plan: { ...plan, channel } },
  } as TestUserConfig
}

/** Waits until every worker that judged something has handed over its result. */
async function settled(channel: EngineChannel): Promise<void> {
  const until = Date.now() + resultGrace
  const open = () => [...channel.outcomes.values()].some(({ records, result }) => records.size > 0 && !result)
  while (open() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
}
