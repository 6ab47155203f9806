import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { type ChangeNumber, changeEndpoints, removedFields } from '../../../src/spec/changes/changes.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { need, optional, type Resolved, reader } from '../../../src/suite/needs.ts'
import { canHave, embeddedRemovals, objectsOf, topLevelOf } from '../../common/removed-fields.ts'
import { answered } from './change.ts'
import { callers, declaredSpec } from './declared.ts'

/** The needs of the addresses that reveal the version. */
export const signNeeds = {
  ...callers,
  reader: reader(),
  gist: optional(need('gist')),
  pulls: optional(need('version-request', { change: 17 })),
  issues: optional(need('version-request', { change: 19 })),
}
type Needs = Resolved<typeof signNeeds>

/** A response by which the versions can be told apart: only the older version's objects have the first field that the change removes. */
interface Sign {
  readonly spec: RequestSpec
  readonly change: ChangeNumber
  readonly objects: (response: Exchange) => readonly { readonly value: JsonObject }[]
}

function signsOf(t: CheckContext, needs: Needs): Sign[] {
  const { reader: as, gist, pulls, issues } = needs
  const declared = (change: ChangeNumber, family: Needs['pulls']): Sign[] =>
    (family?.requests ?? [])
      .filter(({ method }) => method === 'GET')
      .slice(0, 1)
      .map((request) => ({ spec: declaredSpec(t, needs, change, request), change, objects: issuesAndPulls }))
  const inGist = (gist_id: string): Sign => ({
    spec: { endpoint: changeEndpoints.gist, params: { gist_id }, as },
    change: 8,
    objects: topLevelOf,
  })
  return [
    { spec: { endpoint: changeEndpoints.rateLimit, as }, change: 1, objects: topLevelOf },
    { spec: { endpoint: changeEndpoints.root, as }, change: 6, objects: topLevelOf },
    ...(gist ? [inGist(gist.gist_id)] : []),
    ...declared(17, pulls),
    ...declared(19, issues),
    { spec: { endpoint: endpoints.publicEvents, as }, change: 17, objects: (response) => objectsOf(response, ['pull request']) },
  ]
}

const issuesAndPulls = (response: Exchange) =>
  topLevelOf(response).filter(({ value }) => canHave(embeddedRemovals.assignee, value))

/** Whose form a response has under each version. */
export interface Forms {
  readonly older: string | undefined
  readonly newer: string | undefined
  readonly exchanges: readonly Exchange[]
}

/** The version whose form a response has, under each version; undefined if the form does not reveal it. */
async function formsOf(t: CheckContext, { spec, change, objects }: Sign): Promise<Forms> {
  const [{ field }] = removedFields(change)
  const exchanges = await Promise.all([firstVersion, latestVersion].map((version) => t.read({ ...spec, version })))
  const [older, newer] = exchanges.map((response) => {
    const found = objects(response).filter(({ value }) => Object.keys(value).length > 0)
    if (found.length === 0) return undefined
    return found.some(({ value }) => field in value) ? firstVersion : latestVersion
  })
  return { older, newer, exchanges }
}

/** The forms of every response by which the versions can be told apart. */
export async function allForms(t: CheckContext, needs: Needs): Promise<Forms[]> {
  return answered(signsOf(t, needs).map((sign) => formsOf(t, sign)))
}

/** True for a response that has the form of the version that was asked for, under either of them. */
export const followsHeader = ({ older, newer }: Forms): boolean => older === firstVersion && newer === latestVersion
