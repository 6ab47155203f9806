import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, removedFields, replacementOf } from '../../../src/spec/changes/changes.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { firstVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { loginOf, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { atPointer } from '../../../src/text/data.ts'
import { topLevelOf } from '../../common/removed-fields.ts'
import { changeRow, each, readByOwner } from '../common/change-row.ts'
import { readByEachOffered, sendOffered, undoLater } from '../common/requests.ts'

const { gists, gist } = changeEndpoints
const fields = removedFields(8)
const asOwner = { owner: role('owner') }
const onList = { ...asOwner, gist: optional(need('gist')) }
const onGist = { ...asOwner, gist: need('gist') }
const forking = { ...onGist, other: role('outsider') }
const onForks = { ...onGist, other: optional(forking.other) }
/** The response of the older version to a write is expected to have the fields, too (readings V2). */
const keptOnWrite = fields.map((field) => ({ ...field, early: 'should' as const }))

const [{ field: deprecated }] = removedFields(7)
const { field: named } = replacementOf(7)
/** Change 7: the beta media type calls the owner of a gist its user. A user's own gists have one or the other (readings V6). */
const ownerNamed = {
  'owner-named': {
    title: 'includes the owner in each gist of the caller',
    requirement: 'versioning.change-7',
    level: 'should',
    judge: each('gist', `an ${named} (or the deprecated ${deprecated})`, (object) =>
      Boolean(object[named] ?? object[deprecated]),
    ),
  },
} as const

const row = { change: 8, omits: fields }

/** Change 8: the base gist loses history and forks; its forks_url stays (readings V10). */
export const gistRows = [
  changeRow({
    ...row,
    name: 'gists',
    endpoint: gists,
    needs: onList,
    request: readByOwner,
    newer: ownerNamed,
  }),
  changeRow({
    ...row,
    name: 'public-gists',
    endpoint: changeEndpoints.publicGists,
    needs: onList,
    request: readByOwner,
  }),
  changeRow({
    ...row,
    name: 'starred-gists',
    writes: true,
    endpoint: changeEndpoints.starredGists,
    needs: onList,
    request: readStarred,
  }),
  changeRow({
    ...row,
    name: 'gist',
    endpoint: gist,
    needs: onGist,
    request: readSecretToo,
    keeps: fields,
  }),
  changeRow({
    ...row,
    name: 'gist-forks',
    writes: true,
    endpoint: changeEndpoints.gistForks,
    needs: onForks,
    request: readForks,
  }),
  changeRow({
    ...row,
    name: 'gist-revision',
    endpoint: changeEndpoints.gistRevision,
    needs: onGist,
    request: readRevision,
  }),
  changeRow({
    ...row,
    name: 'user-gists',
    endpoint: changeEndpoints.userGists,
    needs: { ...onList, username: loginOf('owner') },
    request: readByOwner,
    newer: ownerNamed,
  }),
  changeRow({
    ...row,
    name: 'create-gist',
    endpoint: changeEndpoints.createGist,
    needs: asOwner,
    request: (t, { owner }) => createGist(t, owner),
    keeps: keptOnWrite,
  }),
  changeRow({
    ...row,
    name: 'update-gist',
    endpoint: changeEndpoints.updateGist,
    needs: asOwner,
    request: updateGist,
    keeps: keptOnWrite,
  }),
  changeRow({
    ...row,
    name: 'fork-gist',
    endpoint: changeEndpoints.forkGist,
    needs: forking,
    request: forkGist,
  }),
]

/** The gist, and a secret one of the owner if there is one. */
async function readSecretToo(t: CheckContext, needs: Resolved<typeof onGist>, endpoint: Endpoint) {
  const gist = await readByOwner(t, needs, endpoint)
  const own = await t.read({ endpoint: gists, as: needs.owner })
  const secret = topLevelOf(own).find(({ value }) => value.public === false)
  if (!secret) return gist
  const params = { gist_id: String(secret.value.id) }
  return [...gist, await t.read({ endpoint, params, as: needs.owner })]
}

/** The starred gists; if there are none, one is made and starred. */
async function readStarred(t: CheckContext, needs: Resolved<typeof asOwner>, endpoint: Endpoint) {
  const starred = await readByOwner(t, needs, endpoint)
  if (starred[0].count > 0 || !(await starGist(t, needs.owner))) return starred
  return sendOffered(t, { endpoint, as: needs.owner })
}

/** The forks of the gist; if there are none, another user makes one. */
async function readForks(
  t: CheckContext,
  { other, ...needs }: Resolved<typeof onForks>,
  endpoint: Endpoint,
) {
  const forks = await readByOwner(t, needs, endpoint)
  if (forks[0].count > 0 || !other) return forks
  await forkGist(t, { ...needs, other })
  return sendOffered(t, { endpoint, params: { gist_id: needs.gist.gist_id }, as: needs.owner })
}

/** A revision by its hash: the need's, or the latest one in the gist's history under the older version. */
async function readRevision(
  t: CheckContext,
  { owner, gist: known }: Resolved<typeof onGist>,
  endpoint: Endpoint,
) {
  const params = { gist_id: known.gist_id }
  const former = await t.read({ endpoint: gist, params, as: owner, version: firstVersion })
  const latest = textAt(former, '/history/0/version')
  const sha = known.sha ?? latest ?? t.untested('no revision of the gist is known', 'gist')
  return readByEachOffered(t, { endpoint, params: { ...params, sha }, as: owner })
}

const content = {
  description: 'made by a conformance run',
  public: false,
  files: { 'conformance.txt': { content: 'Hello' } },
}

/** A secret gist that is created for all checks, and removed in the end. */
function createGist(t: CheckContext, owner: Caller) {
  return t.shared('a gist of the owner', async (once) =>
    removedLater(
      once,
      owner,
      await sendOffered(once, { endpoint: changeEndpoints.createGist, body: content, as: owner }),
    ),
  )
}

/** Changes the gist that was created. */
async function updateGist(
  t: CheckContext,
  { owner }: Resolved<typeof asOwner>,
  endpoint: Endpoint,
) {
  return sendOffered(t, {
    endpoint,
    params: { gist_id: await newGist(t, owner) },
    body: { description: 'changed by a conformance run' },
    as: owner,
  })
}

/** The id of the gist that was created. */
async function newGist(t: CheckContext, owner: Caller) {
  return textAt(await createGist(t, owner), '/id') ?? t.untested('the new gist has no id')
}

/** Stars the gist that was created; false where the target does not let it. */
async function starGist(t: CheckContext, owner: Caller) {
  const starred = await t.send({
    endpoint: { method: 'PUT', path: '/gists/{gist_id}/star' },
    params: { gist_id: await newGist(t, owner) },
    as: owner,
  })
  return starred.ok
}

/** A fork of a gist by another user, made for all checks and removed in the end. */
function forkGist(t: CheckContext, { gist: { gist_id }, other }: Resolved<typeof forking>) {
  return t.shared('a fork of a gist', async (once) => {
    const made = await sendOffered(once, {
      endpoint: changeEndpoints.forkGist,
      params: { gist_id },
      as: other,
    })
    return removedLater(once, other, made, gist_id)
  })
}

function removedLater(t: CheckContext, owner: Caller, made: Exchange, spared?: string) {
  const gist_id = textAt(made, '/id')
  // An id alone could be that of a gist which was there before.
  const isNew = gist_id !== undefined && gist_id !== spared
  if (isNew)
    undoLater(t, `the gist ${gist_id}`, {
      endpoint: { method: 'DELETE', path: '/gists/{gist_id}' },
      params: { gist_id },
      as: owner,
    })
  else t.leavesBehind(`a gist of ${owner.login ?? owner.label}`)
  return made
}

/** The string at a place in a body, or undefined if there is none. */
function textAt({ json }: Exchange, pointer: string) {
  const value = atPointer(json, pointer)
  return typeof value === 'string' ? value : undefined
}
