import type { ReachableConfig } from '../../config/config.ts'
import { killedRuns, type OpenRun } from '../../report/open-run.ts'
import { openProvider } from '../../run/needs/provider.ts'
import { messageOf } from '../../text/message-of.ts'

/**
 * Lets the provider release what killed runs of a directory had asked it for. Resolves to what they made on the target themselves and
 * could not remove any more, for `leftBehind`. A release that fails is told and tried again by the next run.
 */
export async function releaseKilledRuns(config: ReachableConfig, tell: (text: string) => void): Promise<string[]> {
  const left: string[] = []
  for (const { open, forget } of killedRuns(config.report.directory)) {
    const failure = await released(open, config)
    const became =
      config.provider === undefined ? 'nothing was asked of a provider' : 'the provider released what it had given to it'
    tell(`note: the former run in ${config.report.directory} was killed (${open.run}); ${failure ?? became}\n`)
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
    return `what it was given is not released: ${messageOf(error)}`
  }
}
