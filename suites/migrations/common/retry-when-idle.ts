import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, itemsOf, type JsonObject } from '../../../src/suite/located.ts'
import { startsOf } from './accepted-starts.ts'

/** How often others may have ended and the request be rejected all the same. */
const rounds = 40

/** How often it must be rejected while none runs, and none has come and gone, to be about the request itself. */
const sights = 2

/**
 * Sends a request that starts a migration. That migrations of one user may run beside each other is not stated: where it is
 * rejected while others run, it is sent again once those have ended, for as long as they do end.
 */
export async function whenOthersEnded(t: CheckContext, owner: Caller, ask: () => Promise<Exchange>): Promise<Exchange> {
  const starts = await startsOf(t)
  const { accepted } = starts
  let answer = await ask()
  const most = starts.vain && accepted.length === 0 ? sights : rounds
  let round = 0
  for (let seen = 0; round < most && seen < sights && mayBeLimit(answer); round += 1) {
    const before = accepted.length
    const others = (await listed(t, owner)).filter(isRunning)
    if (others.length > 0 && !(await haveEnded(t, owner, others))) return answer
    answer = await ask()
    const atRest = mayBeLimit(answer) && others.length === 0 && !(await listed(t, owner)).some(isRunning)
    seen = atRest && accepted.length === before ? seen + 1 : 0
  }
  if (round === rounds) starts.vain = accepted.length === 0 && mayBeLimit(answer)
  return answer
}

/** True for a rejection that may be about the number of migrations rather than about the request. */
export function mayBeLimit({ status }: Exchange): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 404
}

/** True when a migration runs now, or was made no earlier than `since`: the target accepts migrations, and may have had enough of them. */
export async function acceptsOthers(t: CheckContext, owner: Caller, since: number): Promise<boolean> {
  const migrations = await listed(t, owner)
  return migrations.some((migration) => isRunning(migration) || Date.parse(String(migration.created_at)) >= since)
}

/** The first hundred migrations now; none where they are not listed, which other checks judge. */
async function listed(t: CheckContext, as: Caller): Promise<JsonObject[]> {
  const list = await t.send({ endpoint: endpoints.listMigrations, as, query: { per_page: endpoints.listMigrations.paging.max } })
  return list.status === 200 ? itemsOf(list).flatMap(({ value }) => (isObject(value) ? [value] : [])) : []
}

function isRunning({ state }: JsonObject): boolean {
  return typeof state === 'string' && !/^(exported|failed)$/i.test(state)
}

async function haveEnded(t: CheckContext, owner: Caller, others: readonly JsonObject[]): Promise<boolean> {
  const ids = new Set(others.map(({ id }) => id))
  const ended = await t.eventually('other migrations to end', async () => {
    const running = (await listed(t, owner)).filter(isRunning)
    return running.some(({ id }) => ids.has(id)) ? undefined : true
  })
  return ended === true
}
