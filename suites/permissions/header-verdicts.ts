import { permissionRows } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { show } from '../../src/text/format.ts'
import { namesPermissions, permissionsHeader } from '../common/access.ts'
import { type Attempt, cite } from './evidence.ts'
import { isPublicList, type RowAspect } from './row-aspects.ts'
import type { Row } from './row-callers.ts'

const expected = `a non-empty ${permissionsHeader}`

/**
 * A response to some token of the row's kinds names the permissions (readings F7); the value is not judged. A served and a refused
 * one without the header are a deviation. A public list, which refuses no token, is compared with a list that does (readings F8).
 */
export async function expectPermissionsNamed(t: CheckContext, row: Row, aspect: RowAspect): Promise<void> {
  const attempts = await attemptsOf(t, row, aspect)
  const named = attempts.find(({ answer }) => namesPermissions(answer))?.answer.header(permissionsHeader)
  if (named !== undefined) {
    t.observe(permissionsHeader, `${row.row.method} ${row.row.path}: ${show(named)}`)
    return t.examined(1)
  }
  if (isPublicList(row.row)) return expectNotNamedElsewhere(t, row, attempts)
  const { served, refused } = bothOf(attempts)
  if (!served || !refused)
    return t.untested('the absence of the header can be judged only with a successful and a rejected response')
  const actual = 'no such header on the successful or the rejected response'
  t.deviation({ expected, actual, exchanges: [served, refused] })
}

/** A target that names the permissions at all names them for a served and for a refused token (readings F8). */
export async function expectPermissionsNamedInBoth(t: CheckContext, row: Row, aspect: RowAspect): Promise<void> {
  const { served, refused } = bothOf(await attemptsOf(t, row, aspect))
  if (!served || !refused) return t.untested('a successful and a rejected response are needed')
  const named = [served, refused].filter(namesPermissions)
  if (named.length === 2) return t.examined(2)
  if (named.length === 0) return t.untested('neither the successful nor the rejected response has the header')
  const actual = `no such header on the ${named[0] === served ? 'rejected' : 'successful'} response`
  t.deviation({ expected: `${expected} on both responses`, actual, exchanges: [served, refused] })
}

/** The same tokens receive no such header on the list of the same category in a user's own name, either. */
async function expectNotNamedElsewhere(t: CheckContext, { row }: Row, attempts: readonly Attempt[]): Promise<void> {
  const list = permissionRows.find(
    ({ category, access, path }) => category === row.category && access === 'read' && !path.includes('{'),
  )
  if (!list) throw new Error(`no private list belongs to ${row.path}`)
  for (const { caller, answer } of attempts.filter((attempt) => attempt.answer.ok)) {
    const control = await t.read({ endpoint: list.endpoint, as: caller })
    if (!control.ok || !namesPermissions(control)) continue
    const actual = 'no such header, although the private list of the same category has it'
    t.deviation({ expected, actual, exchanges: [control, answer] })
  }
  t.untested('the target does not send the header with successful responses, and here no request is rejected')
}

async function attemptsOf(t: CheckContext, row: Row, aspect: RowAspect): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const { attempt } of await row.callersOf(t, aspect)) attempts.push(await attempt(t))
  cite(t, ...attempts)
  return attempts
}

function bothOf(attempts: readonly Attempt[]) {
  const answers = attempts.filter(({ basis }) => basis !== 'absent').map(({ answer }) => answer)
  return { served: answers.find(({ ok }) => ok), refused: answers.find(({ refused }) => refused) }
}
