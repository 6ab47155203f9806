import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints, removedFields, replacementOf } from '../../../src/spec/changes/changes.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { resources } from '../across/resources.ts'
import { changeRow } from '../common/change-row.ts'
import { declaredSpec, type Family, familyNeeds, maySend } from '../common/declared.ts'
import { expectOffered } from '../common/requests.ts'

const compared = ['migrations', 'migration', 'migration-repositories', 'organization-migrations']

const aspect = 'fewer-details'
const starting = { change: 16, schedule: 'across' } as const
const started = {
  title: `returns fewer repository details of a new migration than under ${firstVersion}`,
  level: 'should',
} as const

/** Change 16: repositories in migrations have fewer members; the remaining ones are open (readings V17). */
export const migrationDetails = [
  ...resources
    .filter(({ name }) => compared.includes(name))
    .map((resource) =>
      resource.check(
        aspect,
        `returns fewer repository details of a migration than under ${firstVersion}`,
        { requirement: 'versioning.change-16', level: 'should' },
        expectFewerDetails,
      ),
    ),
  ...changeRow({
    ...starting,
    name: 'start-migration',
    endpoint: endpoints.startMigration,
    needs: { owner: role('owner'), repository: need('exportable-repository') },
    both: {
      [aspect]: {
        ...started,
        judge: (t, _, { owner: as, repository }) =>
          expectFewerDetails(t, [
            {
              endpoint: endpoints.startMigration,
              body: { repositories: [`${repository.owner}/${repository.repo}`] },
              as,
            },
          ]),
      },
    },
  }),
  ...changeRow({
    ...starting,
    name: 'start-organization-migration',
    endpoint: changeEndpoints.startOrgMigration,
    needs: familyNeeds(16),
    both: {
      [aspect]: {
        ...started,
        judge: (t, _, needs) => expectFewerDetails(t, declaredStarts(t, needs)),
      },
    },
  }),
]

/** The declared requests that start a migration and may be sent. */
function declaredStarts(t: CheckContext, needs: Family) {
  const found = needs.family.requests.filter(
    (request) => request.method === 'POST' && maySend(request),
  )
  if (found.length === 0)
    t.untested('no request that starts a migration is declared', [
      { need: 'version-request', how: 'declare a POST that starts a migration for change 16' },
    ])
  return found.map((request) => declaredSpec(t, needs, 16, request))
}

/** The members of each repository under the newer version are some, and not all, of those under the older one. */
async function expectFewerDetails(t: CheckContext, specs: readonly RequestSpec[]) {
  for (const spec of specs) {
    const older = [await sendUnder(t, spec, firstVersion)]
    const newer = await sendUnder(t, spec, latestVersion)
    const isRead = spec.endpoint.method === 'GET'
    const isFound = () => comparisonsOf(older, newer).some(({ extra }) => extra.length > 0)
    // Another node of the target may know an added member already (document: Versioning, rule 4).
    while (isRead && older.length < readings && isFound())
      older.push(await t.send({ ...spec, version: firstVersion }))
    for (const { former, details, extra } of comparisonsOf(older, newer)) {
      if (extra.length > 0 || details.length >= former.size)
        t.deviation({
          expected: `only some of the ${former.size} members under ${firstVersion}, apart from those of changes 5, 7 and 12`,
          actual: extra.length > 0 ? `${extra.join(', ')} in addition` : 'no fewer members',
          difference: { of: 'repository details', is: 'not fewer' },
          exchanges: [...older, newer],
        })
      t.examined(1)
    }
  }
}

/** The most readings under the older version, so that each node of a target is among them. */
const readings = 5

/** The members of each repository that both versions return, and those that the newer one has in addition. */
function comparisonsOf(older: readonly Exchange[], newer: Exchange) {
  const candidates = older.flatMap(repositoriesIn)
  return repositoriesIn(newer).flatMap((repository) => {
    const same = candidates.filter((candidate) => isSame(candidate, repository))
    const former = new Set(same.flatMap(detailsOf))
    const details = detailsOf(repository)
    return same.length > 0
      ? [{ former, details, extra: details.filter((key) => !former.has(key)) }]
      : []
  })
}

function isSame(a: JsonObject, b: JsonObject) {
  return ['id', 'full_name', 'name'].some((key) => a[key] !== undefined && a[key] === b[key])
}

/** The members that other changes remove or put in their place. */
const ofOtherChanges = [
  ...[5, 7, 12].flatMap(removedFields).map(({ field }) => field),
  replacementOf(5).field,
  'default_branch',
]

/** The members of a repository that only change 16 can take away. */
const detailsOf = (repository: JsonObject) =>
  Object.keys(repository).filter((key) => !ofOtherChanges.includes(key))

async function sendUnder(t: CheckContext, spec: RequestSpec, version: ApiVersion) {
  const request = { ...spec, version }
  if (spec.endpoint.method === 'GET') return expectOffered(t, request, await t.read(request))
  // Under the other version alone it may be accepted too: once another migration has ended.
  const response = expectOffered(t, request, await t.send(request))
  const id = isObject(response.json) ? response.json.id : undefined
  t.leavesBehind(`the migration ${typeof id === 'number' ? id : 'without an id'} of a comparison`)
  return response
}

/** The repositories of a migration, of a list of migrations, or of a migration's repository list. */
function repositoriesIn({ json }: Exchange) {
  const items = (Array.isArray(json) ? json : [json]).filter(isObject)
  const isMigration = (item: JsonObject) =>
    'repositories' in item || 'guid' in item || 'state' in item
  return items.flatMap((item) =>
    isMigration(item) ? [item.repositories].flat().filter(isObject) : [item],
  )
}
