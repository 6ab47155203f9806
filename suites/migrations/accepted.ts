import type { CheckContext } from '../../src/suite/context.ts'
import { type MigrationNeeds, type Started, start } from './started.ts'

/**
 * Ends the check where a migration was refused and a body that is valid beyond doubt is refused as well: the target has had
 * enough of our migrations (document: Errors, 422; readings H6).
 */
export async function excuseSpam(t: CheckContext, { owner, repository }: MigrationNeeds, { answer, id }: Started): Promise<void> {
  if (id !== undefined || answer.status < 400 || answer.status > 499) return
  const control = await start(t, owner, [repository], { exclude_releases: false })
  if (control.id === undefined) t.untested(`the target rejects any further migration (${control.answer.status})`)
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
