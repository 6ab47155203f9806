import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { readSchema } from '../../../src/package/schemas.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { echoedFlags, type MigrationNeeds, type needs } from '../common/migration-state.ts'
import { idIn } from '../common/start-request.ts'

/** The requests for a migration without `repositories`. */
interface Exclusion {
  /** The responses to each spelling of `exclude` that is tried. */
  readonly read: (t: CheckContext, resolved: MigrationNeeds) => Promise<readonly Exchange[]>
  /** The same without `exclude`. */
  readonly whole: (t: CheckContext, resolved: MigrationNeeds) => Promise<Exchange>
}

/** The effect of `exclude` with `repositories`: one accepted spelling must drop the list (readings E9, E10). */
export function withoutRepositories(operation: Operation<typeof needs>, { read, whole }: Exclusion): Check[] {
  const without = async (t: CheckContext, resolved: MigrationNeeds) => {
    const answers = served(await read(t, resolved)).filter((answer) => !hasRepositories(answer))
    const [first = t.untested('no spelling of exclude dropped the repositories'), ...others] = answers
    return [first, ...others] as const
  }
  return [
    operation.check('exclude-repositories', 'lists no repositories when exclude names them', async (t, resolved) => {
      const answers = served(await read(t, resolved))
      const first = answers[0] ?? t.untested('no spelling of exclude was accepted')
      t.expect(first).satisfy('no repositories', !answers.every(hasRepositories), 'a list of repositories')
    }),
    operation.check(
      'exclude-absent',
      'omits the member repositories entirely when exclude names it',
      { level: 'should' },
      async (t, resolved) => {
        const answers = await without(t, resolved)
        const isAbsent = answers.some((answer) => !Object.hasOwn(objectOf(answer), 'repositories'))
        t.expect(...answers).satisfy('no member repositories', isAbsent, 'an empty array')
      },
    ),
    operation.check('exclude-rest', 'keeps every other member when exclude names repositories', async (t, resolved) => {
      for (const answer of await without(t, resolved)) {
        const [before] = served([await whole(t, resolved)])
        expectRest(t, before ?? t.untested('the request without exclude returned no migration'), answer)
      }
    }),
    operation.check('exclude-accepted', 'accepts the value repositories in exclude', { level: 'should' }, async (t, resolved) => {
      const answers = await read(t, resolved)
      if (served(answers).length > 0) return t.examined(1)
      if (answers.some(({ status }) => status < 400 || status > 499)) t.untested('no spelling of exclude returned a migration')
      const actual = answers.map(({ status }) => status).join(', ')
      t.deviation({ expected: 'success for some spelling of exclude', actual, exchanges: answers })
    }),
  ]
}

/** Only `repositories` may be missing. The other documented members keep their form; in one migration, its id and flags are the same. */
function expectRest(t: CheckContext, whole: Exchange, answer: Exchange): void {
  const [before, after] = [objectOf(whole), objectOf(answer)]
  const documented = namesIn('migration').filter((name) => name !== 'repositories')
  const lost = documented.filter((name) => name in before && !(name in after))
  const isOther = (name: string) => lost.includes(name) || formOf(before[name]) !== formOf(after[name])
  const kept = whole.request.method === 'GET' ? ['id', ...echoedFlags] : []
  const other = documented.filter((name) => isOther(name) || (kept.includes(name) && before[name] !== after[name]))
  if (other.length > 0) {
    const actual = lost.length > 0 ? `no ${lost.join(', ')}` : `another ${other.join(', ')}`
    t.deviation({ expected: 'all members but repositories', actual, exchanges: [whole, answer] })
  }
  t.expect(answer).status(whole.status)
}

function served(answers: readonly Exchange[]): Exchange[] {
  return answers.filter((answer) => idIn(answer) !== undefined)
}

function hasRepositories({ json }: Exchange): boolean {
  return isObject(json) && Array.isArray(json.repositories) && json.repositories.length > 0
}

/** The type of a member, and of the documented members of an owner. */
function formOf(value: unknown): string {
  if (!isObject(value)) return typeof value
  return namesIn('user')
    .map((name) => typeof value[name])
    .join()
}

function objectOf({ json }: Exchange): JsonObject {
  return isObject(json) ? json : {}
}

/** The members that a schema describes. */
function namesIn(schema: string): string[] {
  const { properties } = readSchema(schema)
  return isObject(properties) ? Object.keys(properties) : []
}
