import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { suites } from '../../../suites/index.ts'
import type { RunPlan } from './messages.ts'
import { judgeLanes } from './worker.ts'

/** Judges a plan with all suites and tells it on a port. */
export function work(plan: RunPlan, port: MessagePort): Promise<void> {
  return judgeLanes(plan, suites, port)
}

// The module is also imported, where a thread cannot load it: see engine.ts.
if (parentPort && workerData?.plan) await work(workerData.plan as RunPlan, parentPort)
