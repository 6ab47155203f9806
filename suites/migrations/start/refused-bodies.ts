import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { everyTime } from '../../../src/suite/observe.ts'
import { unlockRequest } from '../common/lock-state.ts'
import { requireListed } from '../common/migration-state.ts'
import {
  allFlags,
  askInBothForms,
  exclusionFlags,
  expectNoneStarted,
  fullName,
  idIn,
  leave,
  marked,
  mayBeLimit,
  sendWhenIdle,
  setTo,
} from '../common/start-request.ts'
import {
  flagged,
  idOf,
  type MigrationNeeds,
  type needs,
  plain,
  plainId,
} from '../common/started-migrations.ts'

/** A body without flags, with each flag, and with all of them but the one that makes others irrelevant: the rest stays invalid. */
const besideFlags = (body: JsonObject): JsonObject[] =>
  [[], ...allFlags.map((flag) => [flag]), ['lock_repositories', ...exclusionFlags]].map(
    (flags) => ({
      ...body,
      ...setTo(true, flags),
    }),
  )

/** The kinds of invalid bodies. */
const wrongBodies = [
  {
    aspect: 'missing-repositories',
    title: 'without repositories',
    requirement: 'migrations.start.repositories-required',
    bodies: (_: string) => besideFlags({}),
  },
  {
    aspect: 'repositories-no-array',
    title: 'whose repositories are not an array',
    requirement: 'migrations.start.repositories-type',
    bodies: (name: string) =>
      [{ name }, 7, null]
        .map((repositories): JsonObject => ({ repositories }))
        .concat(besideFlags({ repositories: name })),
  },
  {
    aspect: 'repositories-no-strings',
    title: 'whose repositories are not strings',
    requirement: 'migrations.start.repositories-type',
    bodies: (name: string) =>
      [[7], [{ name }], [[name]], [name, null]]
        .map((repositories): JsonObject => ({ repositories }))
        .concat(besideFlags({ repositories: [name, 7] })),
  },
]

/** The rejection of bodies that the document's table rules out (readings E13, E14). */
export function refusedBodyChecks(start: Operation<typeof needs>) {
  const alone = start.with({ schedule: 'alone' })
  return [
    ...wrongBodies.flatMap((wrong) => rejections(alone, wrong)),
    alone.check(
      'flag-types',
      'rejects flags that are not booleans',
      { level: 'should' },
      async (t, resolved) => {
        await requireValidAccepted(t, resolved)
        const repositories = [fullName(resolved.repository)]
        for (const value of ['yes', 1])
          expectInvalid(t, await send(t, resolved, { repositories, exclude_releases: value }))
      },
    ),
    alone.check(
      'refused-without-effect',
      'starts and locks nothing for a rejected request body',
      async (t, resolved) => {
        await requireValidAccepted(t, resolved)
        await requireListed(t, resolved.owner, await plain(t, resolved))
        await expectNoneStarted(t, resolved.owner, async () => {
          const repositories = [fullName(resolved.repository), 7]
          const responses = [
            await sendOnce(t, resolved, marked),
            await sendOnce(t, resolved, { repositories, ...marked }),
          ]
          return responses.every(({ rejected }) => rejected)
            ? responses
            : t.untested('the request body was not rejected')
        })
        await expectNoneLocked(t, resolved)
      },
    ),
  ]
}

/** Where locks belong to the repository, they are visible by any migration of it. Another program may lock it, but hardly each time. */
async function expectNoneLocked(t: CheckContext, resolved: MigrationNeeds) {
  const { owner, repository } = resolved
  const unlock = async (id: number) => t.send(unlockRequest(owner, id, repository.repo))
  const id = await plainId(t, resolved)
  const found = await everyTime(t, async () => {
    // The first one removes the lock of another migration, if any.
    const before = [await unlock(id), await unlock(id)]
    const lockBeside = (wrong: unknown) =>
      sendOnce(t, resolved, {
        repositories: [fullName(repository), wrong],
        lock_repositories: true,
      })
    const absent = `${repository.owner}/${t.unused('absent-')}`
    const responses = [await lockBeside(7), await lockBeside(absent)]
    const after = await unlock(id)
    for (const started of responses.map(idIn)) if (started !== undefined) await unlock(started)
    const isLocked =
      before[1]?.status === 404 && after.ok && responses.every(({ rejected }) => rejected)
    return isLocked ? [...before, ...responses, after] : undefined
  })
  if (found)
    t.deviation({
      expected: 'no lock by the rejected requests',
      actual: '204 for its removal',
      exchanges: found,
    })
}

function rejections(
  alone: Operation<typeof needs>,
  { aspect, title, requirement, bodies }: (typeof wrongBodies)[number],
) {
  const responsesTo = async (t: CheckContext, resolved: MigrationNeeds) => {
    await requireValidAccepted(t, resolved)
    return sendAll(t, resolved, bodies(fullName(resolved.repository)))
  }
  return [
    alone.check(aspect, `rejects a request body ${title}`, requirement, async (t, resolved) => {
      for (const response of await responsesTo(t, resolved)) expectInvalid(t, response)
    }),
    alone.check(
      `${aspect}-status`,
      `returns 422 for a rejected request body ${title}`,
      { requirement, level: 'should' },
      async (t, resolved) => {
        const rejected = (await responsesTo(t, resolved)).filter((response) => response.rejected)
        if (rejected.length === 0) t.untested('no such request body was rejected')
        for (const response of rejected) t.expect(response).status(422)
      },
    ),
  ]
}

/** The control of a rejection: two valid bodies each start a migration of their own (readings G15). */
async function requireValidAccepted(t: CheckContext, resolved: MigrationNeeds) {
  const one = await plainId(t, resolved)
  const other = idOf(t, await flagged(t, resolved, 'exclude_releases'))
  if (one === other)
    t.untested(
      'two different migrations were started under one id, so a further one would be hidden',
    )
}

/** Sends each body once for all checks. A migration that the target starts in spite of it is cleaned up. */
function sendAll(t: CheckContext, resolved: MigrationNeeds, bodies: readonly unknown[]) {
  return t.shared(`refused bodies ${JSON.stringify(bodies)}`, async (shared) => {
    const responses: Exchange[] = []
    for (const body of bodies) responses.push(await send(shared, resolved, body))
    return responses
  })
}

function send(t: CheckContext, resolved: MigrationNeeds, body: unknown) {
  // 400 and 422 are about the body; another rejection may be about migrations that run.
  const isOpen = (response: Exchange) =>
    mayBeLimit(response) && ![400, 422].includes(response.status)
  const { owner, repository } = resolved
  return sendWhenIdle(t, owner, {
    send: () => sendOnce(t, resolved, body),
    control: () => askInBothForms(t, owner, [repository]),
    isLimit: isOpen,
  })
}

/** Without a wait, during which other checks start and lock as they like. */
async function sendOnce(t: CheckContext, { owner, repository }: MigrationNeeds, body: unknown) {
  const response = await t.send({ endpoint: endpoints.startMigration, body, as: owner })
  const started = idIn(response)
  if (started === undefined) return response
  leave(t, owner, started)
  t.cleanUp(`a lock by the migration ${started}`, () =>
    t.send(unlockRequest(owner, started, repository.repo)),
  )
  return response
}

function expectInvalid(t: CheckContext, response: Exchange) {
  t.expect(response).satisfy('a rejection (4xx)', response.rejected)
}
