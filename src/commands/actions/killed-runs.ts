import type { ReachableConfig } from '../../config/config.ts'
import { killedRuns, type OpenRun } from '../../report/files/open-run.ts'
import { openProvider } from '../../run/needs/provider.ts'
import { messageOf } from '../../text/errors.ts'

/**
 * Lets the provider release what runs of a directory had asked it for that were killed, or interrupted before they could. Resolves
 * to what they made on the target themselves and could not remove any more, for `leftBehind`. A release that fails is told and tried
 * again by the next run.
 */
export async function releaseKilledRuns(config: ReachableConfig, tell: (text: string) => void): Promise<string[]> {
  const left: string[] = []
  for (const { open, forget } of killedRuns(config.report.directory)) {
    const failure = await released(open, config)
    const became = config.provider === undefined ? 'nothing was asked of a provider' : 'the provider has released it now'
    const former = `the former run ${open.run} in ${config.report.directory}`
    tell(`note: ${former} ended before it released what it was given; ${failure ?? became}
`)
    left.push(...open.made.map((what) => `${what} (of the killed run ${open.run})`))
    if (failure === undefined) forget()
  }
  return left
}

/** Why what a run was given is not released; nothing where it is, or where there is no provider. */
async function released({ run, versions }: OpenRun, { provider, limits }: ReachableConfig): Promise<string | undefined> {
  if (provider === undefined) return undefined
  try {
    for (const apiVersion of versions) {
      const asking = { run, apiVersion, timeoutSeconds: limits.timeoutSeconds }
      await (await openProvider(provider, asking)).release()
    }
    return undefined
  } catch (error) {
    return `it is not released now either: ${messageOf(error)}`
  }
}
