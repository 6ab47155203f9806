import type { CheckContext } from '../../../src/suite/context.ts'
import type { MigrationNeeds } from './migration-state.ts'
import { expectNoneStarted, marked } from './no-effect.ts'
import { acceptsOthers, mayBeLimit, startsOf } from './retry-when-idle.ts'
import { type Started, startMigration } from './start-request.ts'

/**
 * Ends the check if a migration was refused and an undoubtedly valid body is refused as well: the target accepts no more of our
 * migrations (document: Errors, 422; readings H6).
 */
export async function excuseSpam(t: CheckContext, { owner, repository }: MigrationNeeds, { answer, id }: Started): Promise<void> {
  if (id !== undefined || answer.status < 400 || answer.status > 499) return
  const control = await startMigration(t, owner, [repository], { exclude_releases: false })
  if (control.id === undefined) t.untested(`the target rejects any further migration (${control.answer.status})`)
}

/** The versions of a run are judged side by side: the other one may have started migrations this much earlier. Milliseconds. */
const ahead = 5000

/**
 * Ends the check if a migration was refused although others of this run were accepted or one still runs: the target limits their
 * number. A target that starts a refused migration has no such limit.
 */
export async function excuseLimit(
  t: CheckContext,
  { owner, repository }: MigrationNeeds,
  { answer, id }: Started,
): Promise<void> {
  if (id !== undefined || !mayBeLimit(answer)) return
  const { accepted, since } = await startsOf(t)
  if (accepted.length === 0 && !(await acceptsOthers(t, owner, since - ahead))) return
  const further = await startMigration(t, owner, [repository], marked)
  if (further.id !== undefined) return
  await expectNoneStarted(t, owner, async () => [(await startMigration(t, owner, [repository], marked)).answer])
  t.untested(`the target rejects further migrations (${answer.status}), and may permit only so many`)
}

/** Ends the check as deviating unless a valid body started a migration. */
export async function expectStarted(t: CheckContext, needs: MigrationNeeds, started: Started, what: string): Promise<void> {
  await excuseSpam(t, needs, started)
  const { answer, id } = started
  t.expect(answer).satisfy(`a migration for ${what}`, id !== undefined, String(answer.status))
}
