import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { removedFields, replacementOf } from '../../../src/spec/changes.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { type Check, check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { loginOf, type NeedMap, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { topLevelOf } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'
import { readByAnybody, readOffered, sendOffered } from '../common/offered.ts'
import { createGist, forkGist, starGist, updateGist } from './gist-writes.ts'

const fields = removedFields(8)
const [{ field: deprecated }] = removedFields(7)
const { field: named } = replacementOf(7)
const asOwner = { owner: role('owner') }
const onGist = { owner: role('owner'), gist: need('gist') }
const asAnother = { ...onGist, other: role('outsider') }

/** Change 8: the base gist loses history and forks; its forks_url stays (readings V10). */
export default suite({
  area: 'versioning',
  endpoint: changeEndpoints.gist,
  checks: [
    ...gistChecks('gists', changeEndpoints.gists, asOwner, (t, { owner }) =>
      readOffered(t, { endpoint: changeEndpoints.gists, as: owner }),
    ),
    ...gistChecks('public-gists', changeEndpoints.publicGists, asOwner, (t, { owner }) =>
      readByAnybody(t, { endpoint: changeEndpoints.publicGists, as: owner }),
    ),
    ...gistChecks('starred-gists', changeEndpoints.starredGists, asOwner, readStarred, true),
    ...gistChecks('gist', changeEndpoints.gist, onGist, readGist),
    ...gistChecks('gist-forks', changeEndpoints.gistForks, { ...onGist, other: optional(role('outsider')) }, readForks, true),
    ...gistChecks('gist-revision', changeEndpoints.gistRevision, onGist, readRevision),
    ...gistChecks('user-gists', changeEndpoints.userGists, { ...asOwner, username: loginOf('owner') }, (t, { owner, username }) =>
      readByAnybody(t, { endpoint: changeEndpoints.userGists, params: { username }, as: owner }),
    ),
    ...gistChecks('create-gist', changeEndpoints.createGist, asOwner, (t, { owner }) => createGist(t, owner), true),
    ...gistChecks('update-gist', changeEndpoints.updateGist, asOwner, (t, { owner }) => updateGist(t, owner), true),
    ...gistChecks(
      'fork-gist',
      changeEndpoints.forkGist,
      asAnother,
      (t, { gist, other }) => forkGist(t, other, gist.gist_id),
      true,
    ),
    ...keptFieldChecks({
      id: 'versioning.gist',
      endpoint: changeEndpoints.gist,
      needs: onGist,
      fields,
      objects: async (t, resolved) => topLevelOf(await readGist(t, resolved)),
    }),
    ...keptOnWrite('create-gist', changeEndpoints.createGist, createGist),
    ...keptOnWrite('update-gist', changeEndpoints.updateGist, updateGist),
    ownerCheck('gists', changeEndpoints.gists, {}, () => ({})),
    ownerCheck('user-gists', changeEndpoints.userGists, { username: loginOf('owner') }, ({ username }) => ({ username })),
  ],
})

/** The older version's answer to a write is expected to have the fields, too (readings V2). */
function keptOnWrite(
  operation: string,
  endpoint: Endpoint,
  write: (t: CheckContext, owner: Caller) => Promise<Exchange>,
): Check[] {
  return keptFieldChecks({
    id: `versioning.${operation}`,
    endpoint,
    needs: asOwner,
    fields: fields.map((field) => ({ ...field, early: 'should' })),
    writes: true,
    objects: async (t, { owner }) => topLevelOf(await write(t, owner)),
  })
}

/** Change 7: the beta media type calls the owner of a gist its user; somebody's own gists say whose they are, one way or the other (readings V6). */
function ownerCheck<const Needs extends NeedMap>(
  operation: string,
  endpoint: Endpoint,
  needs: Needs,
  params: (needs: Resolved<Needs>) => Readonly<Record<string, string>>,
): Check {
  return check({
    id: `versioning.${operation}.owner-named`,
    requirement: 'versioning.change-7',
    level: 'should',
    title: 'includes the owner in each gist of the caller',
    needs,
    also: asOwner,
    endpoint,
    versions: [latestVersion],
    run: async (t, resolved, { owner }) => {
      const gists = topLevelOf(await readOffered(t, { endpoint, params: params(resolved), as: owner }))
      t.expectAll(gists, 'gist').satisfy(`an ${named} (or the deprecated ${deprecated})`, (gist) =>
        Boolean(gist[named] ?? gist[deprecated]),
      )
    },
  })
}

function gistChecks<const Needs extends NeedMap>(
  operation: string,
  endpoint: Endpoint,
  needs: Needs,
  read: (t: CheckContext, needs: Resolved<Needs>) => Promise<Exchange>,
  writes = false,
): Check[] {
  return removedFieldChecks({ id: `versioning.${operation}`, endpoint, needs, fields, read, writes })
}

function readGist(t: CheckContext, { owner, gist: { gist_id } }: Resolved<typeof onGist>): Promise<Exchange> {
  return readByAnybody(t, { endpoint: changeEndpoints.gist, params: { gist_id }, as: owner })
}

/** The starred gists; where there are none, one is made and starred. */
async function readStarred(t: CheckContext, { owner }: Resolved<typeof asOwner>): Promise<Exchange> {
  const spec = { endpoint: changeEndpoints.starredGists, as: owner }
  const starred = await readOffered(t, spec)
  return topLevelOf(starred).length > 0 || !(await starGist(t, owner)) ? starred : sendOffered(t, spec)
}

/** The forks of the gist; where there are none, somebody else makes one. */
async function readForks(
  t: CheckContext,
  needs: Resolved<typeof onGist> & { readonly other: Caller | undefined },
): Promise<Exchange> {
  const { owner, other, gist } = needs
  const spec = { endpoint: changeEndpoints.gistForks, params: { gist_id: gist.gist_id }, as: owner }
  const forks = await readOffered(t, spec)
  if (topLevelOf(forks).length > 0 || !other) return forks
  await forkGist(t, other, gist.gist_id)
  return sendOffered(t, spec)
}

/** A revision by its hash: the need's, or the one that the older version shows in the gist's history. */
async function readRevision(t: CheckContext, { owner, gist }: Resolved<typeof onGist>): Promise<Exchange> {
  const { gist_id } = gist
  const former = await t.read({ endpoint: changeEndpoints.gist, params: { gist_id }, as: owner, version: firstVersion })
  const sha = gist.sha ?? latestIn(former) ?? t.untested('no revision of the gist is known', 'gist')
  return readOffered(t, { endpoint: changeEndpoints.gistRevision, params: { gist_id, sha }, as: owner })
}

function latestIn({ json }: Exchange): string | undefined {
  const [latest] = isObject(json) && Array.isArray(json.history) ? json.history : []
  return isObject(latest) && typeof latest.version === 'string' ? latest.version : undefined
}
