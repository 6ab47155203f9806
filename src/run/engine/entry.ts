import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { suites } from '../../../suites/index.ts'
import { loadSuites } from '../selection/load-suites.ts'
import type { JudgingThread, RunPlan } from './messages.ts'
import { judgeLanes } from './worker.ts'

/** Judges a plan with all suites, the configuration's own among them, and tells it on a port. */
export async function work(plan: RunPlan, port: MessagePort): Promise<void> {
  // Whoever made the plan has examined what stands beside the suites.
  await judgeLanes(plan, await loadSuites(plan.config, suites, true), port)
}

// The module is also imported, where a thread cannot load it: see engine.ts.
const port = parentPort
if (port && (workerData as JudgingThread | null)?.judges) {
  await work(await new Promise<RunPlan>((resolve) => port.once('message', resolve)), port)
}
