import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import {
  type ChangeNumber,
  changeEndpoints,
  earlyLevel,
  familyOf,
  partOf,
  type RemovedField,
  removedFields,
  replacementOf,
} from '../../../src/spec/changes/changes.ts'
import { type ApiVersion, firstVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located, member } from '../../../src/suite/located.ts'
import { reader, role } from '../../../src/suite/needs.ts'
import {
  canHave,
  embeddedRemovals,
  expectKept,
  objectsOf,
  topLevelOf,
} from '../../common/removed-fields.ts'
import { changeRow, each, readByOwner, readByReader } from '../common/change-row.ts'
import {
  declaredSpec,
  embeddingFamily,
  embeddingNeeds,
  type Family,
  familyNeeds,
  maySend,
  readFamily,
  writeFamily,
} from '../common/declared.ts'
import { outermost, readByAnybody } from '../common/requests.ts'

const { squashTitle, hasDownloads, mergeCommit, assignee } = embeddedRemovals
const needs = { reader: reader() }

/** Change 1: `rate` goes; `resources.core` is the same quota. */
export const rateLimit = changeRow({
  change: 1,
  name: 'rate-limit',
  endpoint: changeEndpoints.rateLimit,
  needs,
  request: readByReader,
  omits: removedFields(1),
  keeps: removedFields(1),
  newer: {
    'resources-core': {
      title: 'includes the quota as resources.core',
      judge: each(
        'quota',
        'an object resources.core',
        ({ resources }) => isObject(resources) && isObject(resources.core),
      ),
    },
  },
})

/** The declared addresses of a change, which are read. */
function declaredReads(change: ChangeNumber) {
  return {
    change,
    endpoint: familyOf(change),
    needs: familyNeeds(change),
    request: (t: CheckContext, needs: Family) => readFamily(t, needs, change),
  }
}

/** A removed field on the declared addresses of a target: those that are read, and those that are written. */
function familyRows(name: string, field: RemovedField) {
  const { change } = field
  return (['GET', 'POST', 'PATCH'] as const).flatMap((method) => {
    const reads = method === 'GET'
    return changeRow({
      change,
      name: reads ? name : `${name}-${method.toLowerCase()}`,
      endpoint: familyOf(change, method),
      needs: embeddingNeeds,
      request: (t, needs) => {
        const family = embeddingFamily(t, needs)
        return reads
          ? readFamily(t, family, change, (spec) => readByAnybody(t, spec))
          : writeFamily(t, family, change, method)
      },
      omits: [field],
      // A second POST would create each object twice.
      keptJudgedApart: method !== 'PATCH',
    })
  })
}

const deprecatedBranch = 'master_branch'
const branch = 'default_branch'

/** Changes 5, 7 and 12 on repositories. */
export const repositories = [
  ...familyRows('repositories', squashTitle),
  ...familyRows('repositories', hasDownloads),
  ...changeRow({
    change: 12,
    name: 'user-subscriptions',
    endpoint: changeEndpoints.userSubscriptions,
    needs: { owner: role('owner') },
    request: readByOwner,
    omits: [hasDownloads],
  }),
  ...changeRow({
    ...declaredReads(5),
    name: 'repositories',
    early: earlyLevel(squashTitle),
    older: {
      'kept-use-squash-pr-title-as-default': {
        title: `keeps ${squashTitle.field} in full repository objects`,
        // Only a whole repository must have the field (readings V2); one in a list must have it if similar ones do.
        judge: (t, responses) => {
          const all = responses.flatMap(repositoriesIn)
          const [whole] = responses.flatMap(wholeIn)
          const known = all.some(({ value }) => squashTitle.field in value)
          if (!known && whole) t.expect(whole.exchange).satisfy(squashTitle.field, false, 'none')
          expectKept(t, all, squashTitle)
        },
      },
    },
    newer: {
      'default-branch-named': {
        title: `includes ${branch} in each full repository that has ${deprecatedBranch}`,
        requirement: 'versioning.change-7',
        level: 'should',
        // The beta form may stay beside its replacement (readings V6). Repositories within other objects may have neither.
        judge: each(
          'repository',
          branch,
          (object) => branch in object,
          (response) =>
            wholeIn(response).filter(({ value }) => deprecatedBranch in value || branch in value),
        ),
      },
    },
  }),
  ...changeRow({
    ...declaredReads(12),
    name: 'repositories',
    early: earlyLevel(hasDownloads),
    older: {
      'kept-has-downloads': {
        title: `keeps ${hasDownloads.field} in all repository objects of the same shape`,
        judge: (t, responses) => expectKept(t, responses.flatMap(repositoriesIn), hasDownloads),
      },
    },
  }),
]

function repositoriesIn(response: Exchange) {
  return objectsOf(response, ['repository'])
}

function wholeIn(response: Exchange) {
  return repositoriesIn(response).filter(({ pointer }) => pointer === '')
}

const hub = partOf(6, 'operation')

/** Change 6: two addresses leave the API root, and /hub goes. */
export const root = [
  ...changeRow({
    change: 6,
    name: 'root',
    endpoint: changeEndpoints.root,
    needs,
    request: readByReader,
    omits: removedFields(6),
    keeps: removedFields(6),
  }),
  ...changeRow({
    change: 6,
    name: 'hub',
    endpoint: familyOf(6, 'POST'),
    needs: familyNeeds(6),
    shows: {
      change: 6,
      endpoint: hub.address,
      at: 'status',
      kind: 'status',
      older: 'served',
      newer: 'gone',
    },
    request: (t, needs) => sendToHub(t, needs, t.apiVersion),
    newer: {
      removed: {
        title: 'rejects requests to /hub',
        judge: async (t, responses, needs) => {
          // The control: the older version serves a request to /hub.
          const former = await sendToHub(t, needs, firstVersion)
          if (!former.some(({ ok }) => ok))
            t.untested(`no request to /hub is served under ${firstVersion} either`)
          for (const response of responses) t.expect(response).satisfy('no /hub', !response.ok)
        },
      },
    },
    early: hub.early,
    older: {
      kept: {
        title: 'accepts requests to /hub',
        judge: (t, responses) => {
          for (const response of responses) t.expect(response).satisfy('2xx from /hub', response.ok)
        },
      },
    },
  }),
]

/** Sends the declared hub requests (readings V15). */
function sendToHub(t: CheckContext, needs: Family, version: ApiVersion) {
  const requests = needs.family.requests.filter(maySend)
  return Promise.all(
    requests.map((request) => t.send({ ...declaredSpec(t, needs, 6, request), version })),
  )
}

const [deprecatedScore] = removedFields(15)
const { field: cvss } = deprecatedScore
const { field: severities } = replacementOf(15)

/** Change 15: severities by CVSS version. `cvss` is deprecated, not removed: it may stay (readings V6). */
export const advisories = changeRow({
  ...declaredReads(15),
  name: 'advisories',
  newer: {
    'severities-present': {
      title: `includes ${severities}, or the deprecated ${cvss}, in each advisory`,
      judge: haveAnyOf(severities, cvss),
    },
    'severities-by-version': {
      title: `includes cvss_v3 or cvss_v4 in each ${severities} with scores`,
      judge: (t, responses) => {
        const found = responses
          .flatMap(topLevelOf)
          .flatMap((advisory) => membersNamed(severities, advisory))
        t.expectAll(found, severities).satisfy('an object with cvss_v3 or cvss_v4', areByVersion)
      },
    },
  },
  early: earlyLevel(deprecatedScore),
  older: { 'kept-cvss': { title: `keeps ${cvss} in each advisory`, judge: haveAnyOf(cvss) } },
})

/** A member of an advisory, or of an alert that contains one, at any depth. */
function membersNamed(name: string, advisory: Located) {
  const holders = outermost(advisory, (object) => Object.hasOwn(object, name))
  return holders.map((holder) => member(holder, name)).filter((found) => found !== undefined)
}

/** Expects at least one of these members in every advisory. */
function haveAnyOf(...names: string[]) {
  return (t: CheckContext, responses: readonly Exchange[]) => {
    const found = responses
      .flatMap(topLevelOf)
      .map((advisory) => ({ ...advisory, value: advisory }))
    t.expectAll(found, 'advisory').satisfy(
      names.join(' or '),
      (advisory) => names.some((name) => membersNamed(name, advisory).length > 0),
      () => 'none at any depth',
    )
  }
}

function areByVersion(severities: unknown) {
  if (severities === null) return true
  if (!isObject(severities)) return false
  return Object.keys(severities).length === 0 || 'cvss_v3' in severities || 'cvss_v4' in severities
}

/** A field that the objects of a kind must have under the older version, at the declared addresses of its change. */
function keptRow(name: string, field: RemovedField, isOfKind: (object: JsonObject) => boolean) {
  const { change } = field
  return changeRow({
    change,
    name,
    endpoint: familyOf(change),
    needs: embeddingNeeds,
    request: (t, needs) => readFamily(t, embeddingFamily(t, needs), change),
    keeps: [field],
    objects: (response) => topLevelOf(response).filter(({ value }) => isOfKind(value)),
  })
}

/** Change 17: pull requests lose merge_commit_sha. */
export const pullRequests = [
  ...familyRows('pull-requests', mergeCommit),
  ...keptRow('pull-requests', mergeCommit, (object) => canHave(mergeCommit, object)),
]

/** Change 19 in responses: issues and pull requests are assigned through `assignees` alone. */
export const assigned = [
  ...familyRows('issues', assignee),
  // Milestones and projects have a number and a title, too; only objects that can be assigned have assignees.
  ...keptRow(
    'issues',
    assignee,
    (object) => replacementOf(19).field in object && canHave(assignee, object),
  ),
]
