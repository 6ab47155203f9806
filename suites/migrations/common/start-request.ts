import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { sendUntil } from '../../../src/suite/observe.ts'
import { sendWhenIdle, startsOf } from './retry-when-idle.ts'

export type RepositoryName = { readonly owner: string; readonly repo: string }

export const fullName = ({ owner, repo }: RepositoryName) => `${owner}/${repo}`

/** A requested migration: the response, and its id if it was started. */
export interface Started {
  readonly answer: Exchange
  readonly id: number | undefined
  readonly repositories: readonly RepositoryName[]
}

export type Flags = Readonly<Record<string, boolean | readonly string[]>>

/**
 * Starts a migration. Names are sent as `owner/repo`, then without the owner if the target rejects them: the document leaves the
 * form open.
 */
export async function startMigration(
  t: CheckContext,
  owner: Caller,
  repositories: readonly RepositoryName[],
  flags: Flags = {},
): Promise<Started> {
  const answer = await sendWhenIdle(t, owner, () => askByName(t, owner, repositories, flags))
  const id = idIn(answer)
  if (id !== undefined) {
    leave(t, owner, id)
    // It may be served a little later (readings G16).
    if (Number.isSafeInteger(id))
      await sendUntil(t, { endpoint: endpoints.getMigration, params: { migration_id: id }, as: owner })
  }
  return { answer, id, repositories }
}

async function askByName(
  t: CheckContext,
  owner: Caller,
  repositories: readonly RepositoryName[],
  flags: Flags,
): Promise<Exchange> {
  const names = repositories.map(fullName)
  const first = await ask(t, owner, { repositories: names, ...flags })
  const unknownNames = first.status >= 400 && names.length > 0 && first.status !== 401 && first.status !== 403
  const second = unknownNames ? await ask(t, owner, { repositories: repositories.map(({ repo }) => repo), ...flags }) : first
  return idIn(second) === undefined ? first : second
}

async function ask(t: CheckContext, as: Caller, body: JsonObject): Promise<Exchange> {
  const answer = await t.send({ endpoint: endpoints.startMigration, body, as })
  const starts = await startsOf(t)
  starts.since = Math.min(starts.since, Date.parse(answer.header('date') ?? '') || starts.since)
  if (answer.status === 201 || idIn(answer) !== undefined) starts.accepted.push({ body, answer })
  return answer
}

/** The id of the migration in a response; undefined if there is none. A status other than 201 needs a guid, too. */
export function idIn({ json, ok, status }: Exchange): number | undefined {
  if (!ok || !isObject(json)) return undefined
  const { id, guid } = json
  return typeof id === 'number' && Number.isInteger(id) && (status === 201 || typeof guid === 'string') ? id : undefined
}

/** The API removes a migration's archive and no more: the migration itself is named as left behind. */
export function leave(t: CheckContext, owner: Caller, id: number): void {
  t.leavesBehind(`the migration ${id}`)
  t.cleanUp(`the archive of the migration ${id}`, async () => {
    await t.send({ endpoint: endpoints.deleteArchive, params: { migration_id: id }, as: owner })
  })
}
