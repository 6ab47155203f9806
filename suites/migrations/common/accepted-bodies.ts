import type { CheckContext } from '../../../src/suite/context.ts'
import { startsOf } from './accepted-starts.ts'
import type { MigrationNeeds } from './migration-state.ts'
import { marked, startsNothing } from './no-effect.ts'
import { acceptsOthers, mayBeLimit } from './retry-when-idle.ts'
import { type Started, start } from './start-request.ts'

/**
 * Ends the check where a migration was refused and a body that is valid beyond doubt is refused as well: the target has had
 * enough of our migrations (document: Errors, 422; readings H6).
 */
export async function excuseSpam(t: CheckContext, { owner, repository }: MigrationNeeds, { answer, id }: Started): Promise<void> {
  if (id !== undefined || answer.status < 400 || answer.status > 499) return
  const control = await start(t, owner, [repository], { exclude_releases: false })
  if (control.id === undefined) t.untested(`the target rejects any further migration (${control.answer.status})`)
}

/** The versions of a run are judged side by side: the other one may have started migrations so long before. Milliseconds. */
const ahead = 5000

/**
 * Ends the check where a migration was refused although others of this run were accepted or one still runs: the target permits
 * only so many. A target that starts what it refuses is no such one.
 */
export async function excuseLimit(
  t: CheckContext,
  { owner, repository }: MigrationNeeds,
  { answer, id }: Started,
): Promise<void> {
  if (id !== undefined || !mayBeLimit(answer)) return
  const { accepted, since } = await startsOf(t)
  if (accepted.length === 0 && !(await acceptsOthers(t, owner, since - ahead))) return
  const further = await start(t, owner, [repository], marked)
  if (further.id !== undefined) return
  await startsNothing(t, owner, async () => [(await start(t, owner, [repository], marked)).answer])
  t.untested(`the target rejects further migrations (${answer.status}), and may permit only so many`)
}

/** Ends the check as deviating unless a valid body started a migration. */
export async function expectStarted(t: CheckContext, needs: MigrationNeeds, started: Started, what: string): Promise<void> {
  await excuseSpam(t, needs, started)
  const { answer, id } = started
  if (id === undefined) {
    t.deviation({ expected: `a migration for ${what}`, actual: String(answer.status), exchanges: [answer] })
  }
  t.examined(1)
}
