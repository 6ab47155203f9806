import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import { permissionRows } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { show } from '../../src/text/format.ts'
import { type Attempt, cite } from './attempt.ts'
import type { RowCaller } from './row-callers.ts'

const permissionsHeader = 'X-Accepted-Service-Permissions'

/** Some answer to a token of the row's kinds names the permissions; on neither the served nor the refused one is a deviation (readings F7, F8). */
export async function namesPermissions(t: CheckContext, callers: readonly RowCaller[]): Promise<void> {
  const attempts = await answersTo(t, callers)
  if (isNamed(t, callers, attempts)) return
  const { served, refused } = bothOf(attempts)
  if (!served || !refused)
    return t.untested('the absence of the header can be judged only with a successful and a rejected response')
  const actual = 'no such header on the successful or the rejected response'
  t.deviation({ expected: `a non-empty ${permissionsHeader}`, actual, exchanges: [served, refused] })
}

/** The permissions are named when a token is served as well as when it is refused, where they are named at all (readings F8). */
export async function namesPermissionsInBoth(t: CheckContext, callers: readonly RowCaller[]): Promise<void> {
  const attempts = await answersTo(t, callers)
  const { served, refused } = bothOf(attempts)
  if (!served || !refused) return t.untested('a successful and a rejected response are needed')
  const named = [served, refused].filter(isNaming)
  if (named.length === 2) return t.examined(2)
  if (named.length === 0) return t.untested('neither the successful nor the rejected response has the header')
  const actual = `no such header on the ${named[0] === served ? 'rejected' : 'successful'} response`
  t.deviation({ expected: `a non-empty ${permissionsHeader} on both responses`, actual, exchanges: [served, refused] })
}

/**
 * A list that serves anyone names its permissions, too, where the target names them when it serves the same token
 * on a list of the same category that is not public (readings F8).
 */
export async function namesPermissionsInPublic(t: CheckContext, callers: readonly RowCaller[]): Promise<void> {
  const attempts = await answersTo(t, callers)
  if (isNamed(t, callers, attempts)) return
  for (const { caller, answer } of attempts.filter(({ answer }) => answer.ok)) {
    const control = await t.read({ endpoint: privateList(callers[0]?.probe.row), as: caller })
    if (!control.ok || !isNaming(control)) continue
    const actual = 'no such header, although the private list of the same category has it'
    t.deviation({ expected: `a non-empty ${permissionsHeader}`, actual, exchanges: [control, answer] })
  }
  t.untested('the target does not send the header with successful responses, and here nothing is rejected')
}

/** The list of the same category in a user's own name. */
function privateList(row: PermissionRow | undefined): PermissionRow['endpoint'] {
  const list = permissionRows.find(
    ({ category, access, path }) => category === row?.category && access === 'read' && !path.includes('{'),
  )
  if (!list) throw new Error(`no private list belongs to ${row?.path}`)
  return list.endpoint
}

async function answersTo(t: CheckContext, callers: readonly RowCaller[]): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const { attempt } of callers) attempts.push(await attempt(t))
  cite(t, ...attempts)
  return attempts
}

/** Notes the header's value, which is not judged (readings F7). */
function isNamed(t: CheckContext, callers: readonly RowCaller[], attempts: readonly Attempt[]): boolean {
  const stated = attempts.find(({ answer }) => isNaming(answer))?.answer.header(permissionsHeader)
  if (stated === undefined) return false
  t.observe(permissionsHeader, `${callers[0]?.probe.row.method} ${callers[0]?.probe.row.path}: ${show(stated)}`)
  t.examined(1)
  return true
}

function isNaming(answer: Exchange): boolean {
  return (answer.header(permissionsHeader) ?? '').trim() !== ''
}

function bothOf(attempts: readonly Attempt[]): { served: Exchange | undefined; refused: Exchange | undefined } {
  const answers = attempts.filter(({ basis }) => basis !== 'absent').map(({ answer }) => answer)
  return { served: answers.find(({ ok }) => ok), refused: answers.find(({ refused }) => refused) }
}
