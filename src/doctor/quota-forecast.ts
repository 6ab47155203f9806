import { anonymous } from '../http/exchange/caller.ts'
import { grouped } from '../record/coverage.ts'
import type { Session } from '../run/judge/session.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'

/** Checks whose claim is about callers without a valid token, by the end of their ids. */
const aboutStrangers = /\.([a-z-]*anonymous[a-z-]*|[a-z-]*invented[a-z-]*|invalid-token)$/

/** Tells whether the quota of callers without a token suffices for the checks about them, where the target states one (readings H6). */
export function quotaNotes({ client, options }: Session, selection: readonly PlacedCheck[]): string[] {
  const left = client.traffic.quota.leftFor(anonymous)
  const versions = options.config.versions.length
  const needed = versions * selection.filter(({ check }) => aboutStrangers.test(check.id)).length
  if (left === undefined || left >= needed) return []
  const claims = `${grouped(needed)} checks are about callers without a valid token`
  return [`${claims}, and the target accepts only ${grouped(left)} more of their requests; the other checks will be untested`]
}
