import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { startsOf } from '../common/accepted-starts.ts'
import { flagged, idOf, needs, plain } from '../common/migration-state.ts'

/** An id and a guid are a migration's own: no two requests that differ get the same. */
export function distinctCheck(id: string): Check {
  return check({
    id: `${id}.distinct`,
    requirement: 'migrations.start.distinct',
    level: 'must',
    title: 'creates a migration with its own id and guid for each different request',
    needs,
    writes: true,
    schedule: 'afterwards',
    run: async (t, resolved) => {
      for (const started of [await plain(t, resolved), await flagged(t, resolved, 'exclude_releases')]) idOf(t, started)
      const { accepted } = await startsOf(t)
      const byBody = new Map(accepted.map(({ body, answer }) => [JSON.stringify(body), answer]))
      expectApart(t, [...byBody.values()])
    },
  })
}

function expectApart(t: CheckContext, answers: readonly Exchange[]): void {
  for (const name of ['id', 'guid']) {
    const known = new Map<string, Exchange>()
    for (const answer of answers) {
      const shown = isObject(answer.json) ? answer.json[name] : ''
      if (typeof shown === 'number' && !Number.isSafeInteger(shown)) continue
      const value = String(shown).toLowerCase()
      const before = known.get(value)
      if (before)
        t.deviation({ expected: `another ${name}`, actual: `${value} again`, pointer: `/${name}`, exchanges: [before, answer] })
      known.set(value, answer)
    }
  }
  t.examined(answers.length)
}
