import type { RequestSpec } from '../../src/http/client.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import type { ChangeNumber } from '../../src/spec/change.ts'
import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { removedFields } from '../../src/spec/changes.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { JsonObject } from '../../src/suite/located.ts'
import { need, optional, type Resolved, reader } from '../../src/suite/needs.ts'
import { canHave, embeddedRemovals, objectsOf, topLevelOf } from '../common/removed-fields.ts'
import { callers, declaredSpec } from './declared.ts'
import { observeSilence } from './observations.ts'
import { answered } from './offered.ts'

const needs = {
  ...callers,
  reader: reader(),
  gist: optional(need('gist')),
  pulls: optional(need('version-request', { change: 17 })),
  issues: optional(need('version-request', { change: 19 })),
}
type Needs = Resolved<typeof needs>

/** An answer by which the versions can be told apart: only the older version's objects have the first field that the change removes. */
interface Sign {
  readonly spec: RequestSpec
  readonly change: ChangeNumber
  readonly objects: (answer: Exchange) => readonly { readonly value: JsonObject }[]
}

/** Rule 2: the header selects the version. */
export default suite({
  area: 'versioning',
  endpoint: endpoints.publicEvents,
  checks: [
    check({
      id: 'versioning.header.selects-version',
      requirement: 'versioning.header',
      level: 'must',
      title: 'returns the version that the version header selects',
      needs,
      schedule: 'across',
      detectsIgnoredVersion: true,
      run: async (t, resolved) => {
        await observeSilence(t, resolved.reader)
        versionsDiffer(t, await answered(signsOf(t, resolved).map((sign) => formsOf(t, sign))))
      },
    }),
  ],
})

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
    {
      spec: { endpoint: endpoints.publicEvents, as },
      change: 17,
      objects: (answer) => objectsOf(answer, ['pull request']),
    },
  ]
}

function issuesAndPulls(answer: Exchange) {
  return topLevelOf(answer).filter(({ value }) => canHave(embeddedRemovals.assignee, value))
}

interface Forms {
  readonly older: string | undefined
  readonly newer: string | undefined
  readonly exchanges: readonly Exchange[]
}

/** Whose form an answer has under each version: the version's name, or undefined where it does not tell. */
async function formsOf(t: CheckContext, { spec, change, objects }: Sign): Promise<Forms> {
  const [{ field }] = removedFields(change)
  const exchanges = await Promise.all([firstVersion, latestVersion].map((version) => t.read({ ...spec, version })))
  const [older, newer] = exchanges.map((answer) => {
    const found = objects(answer).filter(({ value }) => Object.keys(value).length > 0)
    if (found.length === 0) return undefined
    return found.some(({ value }) => field in value) ? firstVersion : latestVersion
  })
  return { older, newer, exchanges }
}

/** One answer that follows the header is enough; that none does takes two. */
function versionsDiffer(t: CheckContext, all: readonly Forms[]): void {
  const signs = all.filter(({ older, newer }) => older !== undefined && newer !== undefined)
  const following = signs.filter(({ older, newer }) => older === firstVersion && newer === latestVersion)
  if (following.length === 0 && signs.length < 2) t.untested('too few responses differ between the versions', 'version-request')
  if (following.length === 0) {
    const forms = new Set(signs.flatMap(({ older, newer }) => [older, newer]))
    const actual =
      forms.size === 1 ? `responses of ${[...forms][0]} whatever version is requested` : 'the same responses under both versions'
    t.deviation({
      expected: 'responses of the requested version',
      actual,
      exchanges: signs.flatMap(({ exchanges }) => exchanges),
    })
  }
  t.examined(following.length)
}
