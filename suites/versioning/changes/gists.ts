import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, removedFields, replacementOf } from '../../../src/spec/changes/changes.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { firstVersion } from '../../../src/spec/versions.ts'
import type { Check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { loginOf, type NeedMap, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { removedFieldChecks, topLevelOf } from '../../common/removed-fields.ts'
import { ofChange, readOffered, sendOffered } from '../common/change.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'

const fields = removedFields(8)
const [{ field: deprecated }] = removedFields(7)
const { field: named } = replacementOf(7)
const asOwner = { owner: role('owner') }
const onGist = { owner: role('owner'), gist: need('gist') }
const onFork = { ...onGist, other: optional(role('outsider')) }
const onList = { ...asOwner, gist: optional(need('gist')) }
const ofUser = { ...onList, username: loginOf('owner') }
const gist = ofChange(8, { id: 'versioning.gist', endpoint: changeEndpoints.gist, needs: onGist }).both

/** Change 8: the base gist loses history and forks; its forks_url stays (readings V10). */
export default gist.suite([
  ...Object.entries({ gists: changeEndpoints.gists, 'public-gists': changeEndpoints.publicGists }).flatMap(([name, endpoint]) =>
    gistChecks(name, endpoint, onList, (t, { owner: as }) => readOffered(t, { endpoint, as })),
  ),
  ...gistChecks('starred-gists', changeEndpoints.starredGists, onList, readStarred, true),
  ...gistChecks('gist', changeEndpoints.gist, onGist, readGist),
  ...gistChecks('gist-forks', changeEndpoints.gistForks, onFork, readForks, true),
  ...gistChecks('gist-revision', changeEndpoints.gistRevision, onGist, readRevision),
  ...gistChecks('user-gists', changeEndpoints.userGists, ofUser, (t, { owner: as, username }) =>
    readOffered(t, { endpoint: changeEndpoints.userGists, params: { username }, as }),
  ),
  ...gistChecks('create-gist', changeEndpoints.createGist, asOwner, (t, { owner }) => createGist(t, owner), true),
  ...gistChecks('update-gist', changeEndpoints.updateGist, asOwner, (t, { owner }) => updateGist(t, owner), true),
  ...gistChecks('fork-gist', changeEndpoints.forkGist, { ...onGist, other: role('outsider') }, forkGist, true),
  ...keptFieldChecks(gist, { fields, objects: async (t, resolved) => topLevelOf(await readGist(t, resolved)) }),
  ...keptOnWrite('create-gist', changeEndpoints.createGist, createGist),
  ...keptOnWrite('update-gist', changeEndpoints.updateGist, updateGist),
  ownerCheck('gists', changeEndpoints.gists, {}, () => ({})),
  ownerCheck('user-gists', changeEndpoints.userGists, { username: ofUser.username }, ({ username }) => ({ username })),
])

/** The response of the older version to a write is expected to have the fields, too (readings V2). */
function keptOnWrite(name: string, endpoint: Endpoint, write: (t: CheckContext, owner: Caller) => Promise<Exchange>): Check[] {
  return keptFieldChecks(ofChange(8, { id: `versioning.${name}`, endpoint, needs: asOwner, writes: true }).both, {
    fields: fields.map((field) => ({ ...field, early: 'should' })),
    objects: async (t, { owner }) => topLevelOf(await write(t, owner)),
  })
}

/** Change 7: the beta media type calls the owner of a gist its user. A user's own gists have one or the other (readings V6). */
function ownerCheck<const Needs extends NeedMap>(
  name: string,
  endpoint: Endpoint,
  needs: Needs,
  params: (needs: Resolved<Needs>) => Readonly<Record<string, string>>,
): Check {
  return ofChange(7, { id: `versioning.${name}`, endpoint, needs }).underLatest.check(
    'owner-named',
    'includes the owner in each gist of the caller',
    { level: 'should', also: onList },
    async (t, resolved, { owner }) => {
      const gists = topLevelOf(await readOffered(t, { endpoint, params: params(resolved), as: owner }))
      t.expectAll(gists, 'gist').satisfy(`an ${named} (or the deprecated ${deprecated})`, (each) =>
        Boolean(each[named] ?? each[deprecated]),
      )
    },
  )
}

function gistChecks<const Needs extends NeedMap>(
  name: string,
  endpoint: Endpoint,
  needs: Needs,
  read: (t: CheckContext, needs: Resolved<Needs>) => Promise<Exchange>,
  writes = false,
): Check[] {
  return removedFieldChecks(ofChange(8, { id: `versioning.${name}`, endpoint, needs, writes }).both, { fields, read })
}

function readGist(t: CheckContext, { owner, gist: { gist_id } }: Resolved<typeof onGist>): Promise<Exchange> {
  return readOffered(t, { endpoint: changeEndpoints.gist, params: { gist_id }, as: owner })
}

/** The starred gists; if there are none, one is made and starred. */
async function readStarred(t: CheckContext, { owner }: Resolved<typeof asOwner>): Promise<Exchange> {
  const spec = { endpoint: changeEndpoints.starredGists, as: owner }
  const starred = await readOffered(t, spec)
  return topLevelOf(starred).length > 0 || !(await starGist(t, owner)) ? starred : sendOffered(t, spec)
}

/** The forks of the gist; if there are none, another user makes one. */
async function readForks(t: CheckContext, { owner, gist: known, other }: Resolved<typeof onFork>): Promise<Exchange> {
  const spec = { endpoint: changeEndpoints.gistForks, params: { gist_id: known.gist_id }, as: owner }
  const forks = await readOffered(t, spec)
  if (topLevelOf(forks).length > 0 || !other) return forks
  await forkGist(t, { gist: known, other })
  return sendOffered(t, spec)
}

/** A revision by its hash: the need's, or the latest one in the gist's history under the older version. */
async function readRevision(t: CheckContext, { owner, gist: known }: Resolved<typeof onGist>): Promise<Exchange> {
  const { gist_id } = known
  const former = await t.read({ endpoint: changeEndpoints.gist, params: { gist_id }, as: owner, version: firstVersion })
  const sha = known.sha ?? latestIn(former) ?? t.untested('no revision of the gist is known', 'gist')
  return readOffered(t, { endpoint: changeEndpoints.gistRevision, params: { gist_id, sha }, as: owner })
}

function latestIn({ json }: Exchange): string | undefined {
  const [latest] = isObject(json) && Array.isArray(json.history) ? json.history : []
  return isObject(latest) && typeof latest.version === 'string' ? latest.version : undefined
}

const content = { description: 'made by a conformance run', public: false, files: { 'conformance.txt': { content: 'Hello' } } }

/** A secret gist that is created for all checks, and removed in the end. */
function createGist(t: CheckContext, owner: Caller): Promise<Exchange> {
  return t.shared('a gist of the owner', async (once) =>
    removedLater(once, owner, await sendOffered(once, { endpoint: changeEndpoints.createGist, body: content, as: owner })),
  )
}

/** Changes the gist that was created. */
async function updateGist(t: CheckContext, owner: Caller): Promise<Exchange> {
  const gist_id = idOf(await createGist(t, owner)) ?? t.untested('the new gist has no id')
  const body = { description: 'changed by a conformance run' }
  return sendOffered(t, { endpoint: changeEndpoints.updateGist, params: { gist_id }, body, as: owner })
}

/** Stars the gist that was created; false where the target does not let it. */
async function starGist(t: CheckContext, owner: Caller): Promise<boolean> {
  const gist_id = idOf(await createGist(t, owner)) ?? t.untested('the new gist has no id')
  const endpoint = { method: 'PUT', path: '/gists/{gist_id}/star' } as const
  const starred = await t.send({ endpoint, params: { gist_id }, as: owner })
  return starred.ok
}

/** A fork of a gist by another user, made for all checks and removed in the end. */
function forkGist(
  t: CheckContext,
  { gist: { gist_id }, other }: { readonly gist: { readonly gist_id: string }; readonly other: Caller },
): Promise<Exchange> {
  return t.shared('a fork of a gist', async (once) => {
    const made = await sendOffered(once, { endpoint: changeEndpoints.forkGist, params: { gist_id }, as: other })
    return removedLater(once, other, made, gist_id)
  })
}

function removedLater(t: CheckContext, owner: Caller, made: Exchange, spared?: string): Exchange {
  const gist_id = idOf(made)
  // An id alone could be that of a gist which was there before.
  if (gist_id === undefined || gist_id === spared) t.leavesBehind(`a gist of ${owner.login ?? owner.label}`)
  else t.cleanUp(`the gist ${gist_id}`, () => removeGist(t, owner, gist_id))
  return made
}

async function removeGist(t: CheckContext, owner: Caller, gist_id: string): Promise<void> {
  const gone = await t.send({ endpoint: { method: 'DELETE', path: '/gists/{gist_id}' }, params: { gist_id }, as: owner })
  if (!gone.ok) throw new Error(`answered ${gone.status}`)
}

const idOf = ({ json }: Exchange): string | undefined => (isObject(json) && typeof json.id === 'string' ? json.id : undefined)
