import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { requireListed } from '../common/list-contents.ts'
import { flagged, idOf, needs, plain } from '../common/migration-state.ts'
import { marked, startsNothing } from '../common/no-effect.ts'
import { mayBeLimit, whenOthersEnded } from '../common/retry-when-idle.ts'
import { idIn, leave } from '../common/start-request.ts'

type Needs = Resolved<typeof needs>

/** One way in which a body is wrong. */
interface WrongBody {
  readonly aspect: string
  readonly title: string
  readonly requirement: string
  readonly bodies: (fullName: string) => readonly unknown[]
}

const wrongBodies: readonly WrongBody[] = [
  {
    aspect: 'missing-repositories',
    title: 'without repositories',
    requirement: 'migrations.start.repositories-required',
    bodies: () => [{}, { exclude_releases: true }],
  },
  {
    aspect: 'repositories-no-array',
    title: 'whose repositories are not an array',
    requirement: 'migrations.start.repositories-type',
    bodies: (name) => [name, { name }, 7, null].map((repositories) => ({ repositories })),
  },
  {
    aspect: 'repositories-no-strings',
    title: 'whose repositories are not strings',
    requirement: 'migrations.start.repositories-type',
    bodies: (name) => [[7], [{ name }], [[name]], [name, 7], [name, null]].map((repositories) => ({ repositories })),
  },
]

/** What bodies get that the document's table rules out (readings E13, E14). */
export function refusedBodyChecks(id: string): Check[] {
  return [
    ...wrongBodies.flatMap((wrong) => refusals(id, wrong)),
    check({
      id: `${id}.flag-types`,
      requirement: 'migrations.start.flag-types',
      level: 'should',
      title: 'rejects flags that are not booleans',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        await acceptsValid(t, resolved)
        const repositories = [fullName(resolved)]
        for (const value of ['yes', 1]) {
          const answer = await sent(t, resolved, { repositories, exclude_releases: value })
          expectRefused(t, answer)
        }
      },
    }),
    check({
      id: `${id}.refused-without-effect`,
      requirement: 'migrations.start.refused-without-effect',
      level: 'must',
      title: 'starts no migration for a rejected request body',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        await acceptsValid(t, resolved)
        await requireListed(t, resolved.owner, await plain(t, resolved))
        await startsNothing(t, resolved.owner, async () => {
          const answer = await sent(t, resolved, marked)
          return answer.status < 400 ? t.untested('the request body was not rejected') : [answer]
        })
      },
    }),
  ]
}

function refusals(id: string, { aspect, title, requirement, bodies }: WrongBody): Check[] {
  const common = { requirement, needs, writes: true, schedule: 'alone' } as const
  return [
    check({
      ...common,
      id: `${id}.${aspect}`,
      level: 'must',
      title: `rejects a request body ${title}`,
      run: async (t, resolved) => {
        await acceptsValid(t, resolved)
        for (const answer of await sentAll(t, resolved, bodies(fullName(resolved)))) expectRefused(t, answer)
      },
    }),
    check({
      ...common,
      id: `${id}.${aspect}-status`,
      level: 'should',
      title: `returns 422 for a rejected request body ${title}`,
      run: async (t, resolved) => {
        const answers = await sentAll(t, resolved, bodies(fullName(resolved)))
        const refused = answers.filter(({ status }) => status >= 400 && status < 500)
        if (refused.length === 0) t.untested('no such request body was rejected')
        for (const answer of refused) t.expect(answer).status(422)
      },
    }),
  ]
}

/** The control of a refusal: two valid bodies each start a migration of their own (readings G15). */
async function acceptsValid(t: CheckContext, needs: Needs): Promise<void> {
  const one = idOf(t, await plain(t, needs))
  const other = idOf(t, await flagged(t, needs, 'exclude_releases'))
  if (one === other) t.untested('two different migrations were started under one id, so a further one would not show')
}

function fullName({ repository }: Needs): string {
  return `${repository.owner}/${repository.repo}`
}

/** Sends each body once for all checks; what a target starts all the same is cleaned up. */
function sentAll(t: CheckContext, needs: Needs, bodies: readonly unknown[]): Promise<Exchange[]> {
  return t.shared(`refused bodies ${JSON.stringify(bodies)}`, async (shared) => {
    const answers: Exchange[] = []
    for (const body of bodies) answers.push(await sent(shared, needs, body))
    return answers
  })
}

async function sent(t: CheckContext, { owner }: Needs, body: unknown): Promise<Exchange> {
  const ask = () => t.send({ endpoint: endpoints.startMigration, body, as: owner })
  const first = await ask()
  // 422 is about the body; another rejection may be about migrations that run.
  const answer = first.status !== 422 && mayBeLimit(first) ? await whenOthersEnded(t, owner, ask) : first
  const started = idIn(answer)
  if (started !== undefined) leave(t, owner, started)
  return answer
}

function expectRefused(t: CheckContext, answer: Exchange): void {
  const refused = answer.status >= 400 && answer.status < 500
  if (!refused) t.deviation({ expected: 'a rejection (4xx)', actual: String(answer.status), exchanges: [answer] })
  t.examined(1)
}
