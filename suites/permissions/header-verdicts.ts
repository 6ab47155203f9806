import { type PermissionRow, permissionRows } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { show } from '../../src/text/show.ts'
import { namesPermissions, permissionsHeader } from '../common/access.ts'
import { type Attempt, cite } from './evidence.ts'
import type { RowCaller } from './row-callers.ts'

const expected = `a non-empty ${permissionsHeader}`

/** A response to some token of the row's kinds names the permissions; a served and a refused one without is a deviation (readings F7, F8). */
export async function expectPermissionsNamed(t: CheckContext, callers: readonly RowCaller[]): Promise<void> {
  const attempts = await attemptsOf(t, callers)
  if (isNamed(t, callers, attempts)) return
  const { served, refused } = bothOf(attempts)
  if (!served || !refused)
    return t.untested('the absence of the header can be judged only with a successful and a rejected response')
  const actual = 'no such header on the successful or the rejected response'
  t.deviation({ expected, actual, exchanges: [served, refused] })
}

/** A target that names the permissions at all names them for a served and for a refused token (readings F8). */
export async function expectPermissionsNamedInBoth(t: CheckContext, callers: readonly RowCaller[]): Promise<void> {
  const { served, refused } = bothOf(await attemptsOf(t, callers))
  if (!served || !refused) return t.untested('a successful and a rejected response are needed')
  const named = [served, refused].filter(namesPermissions)
  if (named.length === 2) return t.examined(2)
  if (named.length === 0) return t.untested('neither the successful nor the rejected response has the header')
  const actual = `no such header on the ${named[0] === served ? 'rejected' : 'successful'} response`
  t.deviation({ expected: `${expected} on both responses`, actual, exchanges: [served, refused] })
}

/**
 * A public list names its permissions, too, if the target names them when it serves the same token on a list of the same
 * category that is not public (readings F8).
 */
export async function expectPermissionsNamedInPublic(t: CheckContext, callers: readonly RowCaller[]): Promise<void> {
  const attempts = await attemptsOf(t, callers)
  if (isNamed(t, callers, attempts)) return
  for (const { caller, answer } of attempts.filter((attempt) => attempt.answer.ok)) {
    const control = await t.read({ endpoint: privateList(callers[0]?.probe.row), as: caller })
    if (!control.ok || !namesPermissions(control)) continue
    const actual = 'no such header, although the private list of the same category has it'
    t.deviation({ expected, actual, exchanges: [control, answer] })
  }
  t.untested('the target does not send the header with successful responses, and here no request is rejected')
}

/** The list of the same category in a user's own name. */
function privateList(row: PermissionRow | undefined): PermissionRow['endpoint'] {
  const list = permissionRows.find(
    ({ category, access, path }) => category === row?.category && access === 'read' && !path.includes('{'),
  )
  if (!list) throw new Error(`no private list belongs to ${row?.path}`)
  return list.endpoint
}

async function attemptsOf(t: CheckContext, callers: readonly RowCaller[]): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const { attempt } of callers) attempts.push(await attempt(t))
  cite(t, ...attempts)
  return attempts
}

/** Observes the value of the header, which is not judged (readings F7). */
function isNamed(t: CheckContext, callers: readonly RowCaller[], attempts: readonly Attempt[]): boolean {
  const value = attempts.find(({ answer }) => namesPermissions(answer))?.answer.header(permissionsHeader)
  const row = callers[0]?.probe.row
  if (value === undefined) return false
  t.observe(permissionsHeader, `${row?.method} ${row?.path}: ${show(value)}`)
  t.examined(1)
  return true
}

function bothOf(attempts: readonly Attempt[]) {
  const answers = attempts.filter(({ basis }) => basis !== 'absent').map(({ answer }) => answer)
  return { served: answers.find(({ ok }) => ok), refused: answers.find(({ refused }) => refused) }
}
