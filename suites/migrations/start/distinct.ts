import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { flagged, idOf, type needs, plain } from '../common/migration-state.ts'
import { firstStarts } from '../common/retry-when-idle.ts'

/** Each migration has its own id and guid: two different requests never get the same. */
export function distinctCheck(start: Operation<typeof needs>): Check {
  const title = 'creates a migration with its own id and guid for each different request'
  return start.check('distinct', title, { schedule: 'afterwards' }, async (t, resolved) => {
    for (const started of [await plain(t, resolved), await flagged(t, resolved, 'exclude_releases')]) idOf(t, started)
    expectDistinct(t, await firstStarts(t))
  })
}

function expectDistinct(t: CheckContext, starts: Awaited<ReturnType<typeof firstStarts>>): void {
  for (const name of ['id', 'guid']) {
    const known = new Map<string, (typeof starts)[number]>()
    for (const start of starts) {
      const { answer, body } = start
      const member = isObject(answer.json) ? answer.json[name] : ''
      if (member === undefined || (typeof member === 'number' && !Number.isSafeInteger(member))) continue
      const value = String(member).toLowerCase()
      const before = known.get(value)
      const finding = { expected: `another ${name}`, actual: `${value} again`, pointer: `/${name}` }
      if (before && wishOf(before.body) !== wishOf(body)) t.deviation({ ...finding, exchanges: [before.answer, answer] })
      known.set(value, start)
    }
  }
  t.examined(starts.length)
}

/** The export that a body asks for. A flag that is false, and the members of the response, make no other one. */
function wishOf(body: JsonObject): string {
  return JSON.stringify(Object.entries(body).filter(([name, value]) => name !== 'exclude' && value !== false))
}
