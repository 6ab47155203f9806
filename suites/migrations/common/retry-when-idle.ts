import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, itemsOf, type JsonObject } from '../../../src/suite/located.ts'
import { bracketed, policies } from '../../../src/suite/observe.ts'

/** The valid requests under this version so far. */
interface Starts {
  /** Those that started a migration, in the order of the requests. */
  readonly accepted: { readonly body: JsonObject; readonly answer: Exchange }[]
  /** The time of the first response. Milliseconds. */
  since: number
  /** A valid request was rejected each time it was repeated, before any was accepted: further ones are repeated less often. */
  vain: boolean
}

export function startsOf(t: CheckContext): Promise<Starts> {
  return t.shared('starts', async () => ({ accepted: [], since: Number.POSITIVE_INFINITY, vain: false }))
}

/** The first accepted request of each body: a repeated one may be answered with the same migration. */
export async function firstStarts(t: CheckContext): Promise<Starts['accepted']> {
  const { accepted } = await startsOf(t)
  return [...new Map(accepted.map((start) => [JSON.stringify(start.body), start] as const).reverse()).values()].reverse()
}

/**
 * Sends a request that starts a migration. The document does not state that migrations of one user may run beside each other: a
 * rejected request is sent again once the others have ended, for as long as they do end.
 */
export async function sendWhenIdle(t: CheckContext, owner: Caller, send: () => Promise<Exchange>): Promise<Exchange> {
  const starts = await startsOf(t)
  const { accepted } = starts
  let answer = await send()
  if (!mayBeLimit(answer)) return answer
  const isHopeless = starts.vain && accepted.length === 0
  const look = await bracketed(
    {
      read: async () => ({ ...(await waitForOthers(t, owner)), accepted: accepted.length }),
      probe: async () => {
        answer = await send()
        return answer
      },
      same: (before, after) => before.idle && after.idle && before.accepted === after.accepted,
      expected: ({ blocked }) => blocked || !mayBeLimit(answer),
    },
    isHopeless ? policies.migrationLimitReached : policies.migrationLimit,
  )
  if (!look) starts.vain = accepted.length === 0
  return answer
}

/** Waits until the running migrations have ended. `idle`: there was none; `blocked`: some did not end. */
async function waitForOthers(t: CheckContext, owner: Caller): Promise<{ idle: boolean; blocked: boolean }> {
  const others = (await listed(t, owner)).filter(isRunning)
  return { idle: others.length === 0, blocked: others.length > 0 && !(await haveEnded(t, owner, others)) }
}

/** True for a rejection that may be about the number of migrations, or for a 304 since an equal one runs (readings B12). */
export function mayBeLimit({ status, rejected }: Exchange): boolean {
  return status === 304 || (rejected && status !== 401 && status !== 404)
}

/** True when a migration runs now, or was made no earlier than `since`: the target accepts migrations, perhaps only a few. */
export async function acceptsOthers(t: CheckContext, owner: Caller, since: number): Promise<boolean> {
  const migrations = await listed(t, owner)
  return migrations.some((migration) => isRunning(migration) || Date.parse(String(migration.created_at)) >= since)
}

/** The first hundred migrations now; none if they are not listed, since other checks judge the list. */
async function listed(t: CheckContext, as: Caller): Promise<JsonObject[]> {
  const list = await t.send({ endpoint: endpoints.listMigrations, as, query: { per_page: endpoints.listMigrations.paging.max } })
  return list.status === 200 ? itemsOf(list).flatMap(({ value }) => (isObject(value) ? [value] : [])) : []
}

const isRunning = ({ state }: JsonObject) => typeof state === 'string' && !/^(exported|failed)$/i.test(state)

async function haveEnded(t: CheckContext, owner: Caller, others: readonly JsonObject[]): Promise<boolean> {
  const ids = new Set(others.map(({ id }) => id))
  const ended = await t.eventually('other migrations to end', async () => {
    const running = (await listed(t, owner)).filter(isRunning)
    return running.some(({ id }) => ids.has(id)) ? undefined : true
  })
  return ended === true
}
