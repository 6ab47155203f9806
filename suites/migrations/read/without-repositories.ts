import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { readSchema } from '../../../src/package/schemas.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { echoedFlags, type MigrationNeeds, needs } from '../common/migration-state.ts'
import { idIn } from '../common/start-request.ts'

/** Requests that ask to leave `repositories` out, in each spelling that is tried. */
export interface Exclusion {
  readonly id: string
  readonly requirement: string
  readonly read: (t: CheckContext, resolved: MigrationNeeds) => Promise<readonly Exchange[]>
  /** The same without `exclude`. */
  readonly whole: (t: CheckContext, resolved: MigrationNeeds) => Promise<Exchange>
}

/** What `exclude` with `repositories` does: one accepted spelling must drop the list (readings E9, E10). */
export function withoutRepositories({ id, requirement, read, whole }: Exclusion): Check[] {
  return [
    check({
      id: `${id}.exclude-repositories`,
      requirement,
      level: 'must',
      title: 'lists no repositories when exclude names them',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const answers = served(await read(t, resolved))
        const first = answers[0] ?? t.untested('no spelling of exclude was accepted')
        if (answers.every(holdsRepositories)) {
          t.deviation({
            expected: 'no repositories',
            actual: 'a list of repositories',
            pointer: '/repositories',
            exchanges: [first],
          })
        }
        t.examined(1)
      },
    }),
    check({
      id: `${id}.exclude-absent`,
      requirement,
      level: 'should',
      title: 'omits the member repositories entirely when exclude names it',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const dropped = served(await read(t, resolved)).filter((answer) => !holdsRepositories(answer))
        const first = dropped[0] ?? t.untested('no spelling of exclude dropped the repositories')
        if (!dropped.some(lacksRepositories)) {
          const actual = 'an empty array'
          t.deviation({ expected: 'no member repositories', actual, pointer: '/repositories', exchanges: [first] })
        }
        t.examined(1)
      },
    }),
    check({
      id: `${id}.exclude-rest`,
      requirement,
      level: 'must',
      title: 'keeps every other member when exclude names repositories',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const dropped = served(await read(t, resolved)).filter((answer) => !holdsRepositories(answer))
        if (dropped.length === 0) t.untested('no spelling of exclude dropped the repositories')
        for (const answer of dropped) {
          const [before] = served([await whole(t, resolved)])
          expectRest(t, before ?? t.untested('the request without exclude returned no migration'), answer)
        }
      },
    }),
    check({
      id: `${id}.exclude-accepted`,
      requirement,
      level: 'should',
      title: 'accepts the value repositories in exclude',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const answers = await read(t, resolved)
        if (served(answers).length > 0) return t.examined(1)
        if (answers.some(({ status }) => status < 400 || status > 499)) t.untested('no spelling of exclude returned a migration')
        const actual = answers.map(({ status }) => status).join(', ')
        return t.deviation({ expected: 'success for some spelling of exclude', actual, exchanges: answers })
      },
    }),
  ]
}

/** Of the members that the document lists, only `repositories` may go; the others keep their form and, in one migration, what identifies it and its flags. */
function expectRest(t: CheckContext, whole: Exchange, answer: Exchange): void {
  const [before, after] = [whole.json, answer.json].map((json) => (isObject(json) ? json : {})) as [JsonObject, JsonObject]
  const documented = Object.keys(readSchema('migration').properties as object).filter((name) => name !== 'repositories')
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

function holdsRepositories({ json }: Exchange): boolean {
  return isObject(json) && Array.isArray(json.repositories) && json.repositories.length > 0
}

function lacksRepositories({ json }: Exchange): boolean {
  return isObject(json) && !Object.hasOwn(json, 'repositories')
}

/** The type of a member, and of what the document lists of an owner. */
function formOf(value: unknown): string {
  if (!isObject(value)) return typeof value
  return Object.keys(readSchema('user').properties as object)
    .map((name) => typeof value[name])
    .join()
}
