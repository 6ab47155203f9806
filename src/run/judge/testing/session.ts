import { onTestFinished } from 'vitest'
import { type Config, defaults } from '../../../config/config.ts'
import { scriptedStart, VirtualClock } from '../../../http/transport/time/test-clock.ts'
import type { ApiVersion } from '../../../spec/versions.ts'
import { openSession as open, type Session, type SessionSettings } from '../session.ts'
import type { Slots } from '../slots.ts'

/** A session for a scripted target, with a virtual clock. It is released at the end of the test. */
export async function openSession(
  baseUrl: string,
  config: Partial<Config> = {},
  settings: SessionSettings & { apiVersion?: ApiVersion } = {},
): Promise<Session> {
  const merged = {
    ...structuredClone(defaults),
    ...config,
    target: { paths: {}, ...config.target, baseUrl },
  }
  merged.limits = {
    ...merged.limits,
    requestsPerSecond: 1_000_000,
    timeoutSeconds: 5,
    ...config.limits,
  }
  const clock = new VirtualClock(scriptedStart)
  const session = await open(merged, settings.apiVersion ?? '2026-03-10', { clock, ...settings })
  onTestFinished(async () => void (await session.release()))
  return session
}

/** Works in a slot, as a job of the schedule does. */
export async function occupy<Result>(slots: Slots, work: () => Promise<Result>) {
  await slots.acquire()
  return work().finally(() => slots.release())
}
