import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { NoResponse } from '../../src/http/exchange/no-response.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import {
  anyAddress,
  type ChangeNumber,
  changeEndpoints,
  removedFields,
} from '../../src/spec/changes/changes.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import {
  type ApiVersion,
  firstVersion,
  latestVersion,
  releasedAt,
  supportEnds,
} from '../../src/spec/versions.ts'
import { operation } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../src/suite/located.ts'
import { need, optional, type Resolved, reader } from '../../src/suite/needs.ts'
import { canHave, embeddedRemovals, objectsOf, topLevelOf } from '../common/removed-fields.ts'
import { callers, declaredSpec } from './common/declared.ts'

/** The needs of the addresses that reveal the version. */
const needs = {
  ...callers,
  reader: reader(),
  gist: optional(need('gist')),
  pulls: optional(need('version-request', { change: 17 })),
  issues: optional(need('version-request', { change: 19 })),
}
type Needs = Resolved<typeof needs>

const versions = operation({
  id: 'versioning.versions',
  endpoint: anyAddress,
  needs,
  level: 'must',
  requirement: 'versioning.versions',
  schedule: 'across',
})
const selection = versions.with({ id: 'versioning.header', requirement: 'versioning.header' })

/** Rule 2: the header selects the version. */
export const header = selection.suite([
  selection.check(
    'selects-version',
    'returns the version that the version header selects',
    { detectsIgnoredVersion: true },
    async (t, resolved) => {
      await observeOtherNames(t, resolved)
      expectVersionsDiffer(t, await allForms(t, resolved))
    },
  ),
])

/** Rules 1 and 5: both versions are offered, the older one for 24 months after the newer one's release (readings V21, V22). */
export const supportedVersions = versions.suite([
  versions.check(
    'first-offered',
    `supports ${firstVersion} until 24 months after ${latestVersion}`,
    'versioning.support',
    (t, resolved) =>
      expectOffered(t, resolved, firstVersion, (now) => now < supportEnds(latestVersion)),
  ),
  versions.check('latest-offered', `supports ${latestVersion} from its release on`, (t, resolved) =>
    expectOffered(t, resolved, latestVersion, (now) => now >= releasedAt(latestVersion)),
  ),
  versions.check(
    'latest-early',
    `supports ${latestVersion} on request even before its release`,
    { level: 'should' },
    (t, resolved) => expectOffered(t, resolved, latestVersion, () => true),
  ),
])

/** One response that follows the header suffices. Two are needed to prove that none does. */
function expectVersionsDiffer(t: CheckContext, all: readonly Forms[]) {
  const signs = all.filter(({ older, newer }) => older !== undefined && newer !== undefined)
  const following = signs.filter(followsHeader)
  if (following.length === 0 && signs.length < 2)
    t.untested('too few responses differ between the versions', 'version-request')
  if (following.length === 0) {
    const [served = '', ...others] = new Set(signs.flatMap(({ older, newer }) => [older, newer]))
    const isOne = others.length === 0
    t.deviation({
      expected: 'responses of the requested version',
      actual: isOne
        ? `responses of ${served} for any requested version`
        : 'the same responses under both versions',
      difference: { of: 'the served version', is: isOne ? served : 'equal' },
      exchanges: signs.flatMap((sign) => sign.exchanges),
    })
  }
  t.examined(following.length)
}

/** Versions that no header should name, by the topic of their observation. */
const otherNames = {
  'no version header': null,
  'unknown version': '1999-01-01',
  'malformed version': 'latest',
}

/** Observes, without a verdict, the version of the response to a request that states neither version (readings V1). */
async function observeOtherNames(t: CheckContext, { reader: as }: Needs) {
  for (const [topic, version] of Object.entries(otherNames)) {
    const response = t.send({ endpoint: changeEndpoints.rateLimit, as, version })
    const form = await response.then(formOf).catch((error: unknown) => {
      if (!(error instanceof NoResponse)) throw error
      return 'no response'
    })
    t.observe(topic, form, 'either version, or a rejection')
  }
}

function formOf({ status, json }: Exchange) {
  if (status !== 200 || !isObject(json)) return `status ${status}`
  return `status ${status} in the form of ${'rate' in json ? firstVersion : latestVersion}`
}

/** A version that no address knows although another one is served is not offered; `due` says whether it has to be at a time. */
async function expectOffered(
  t: CheckContext,
  needs: Needs,
  version: ApiVersion,
  due: (now: number) => boolean,
) {
  const { reader: as } = needs
  const other = version === firstVersion ? latestVersion : firstVersion
  const probed = [endpoints.publicEvents, changeEndpoints.rateLimit, changeEndpoints.root]
  const readUnder = (requested: ApiVersion) =>
    fulfilled(probed.map((endpoint) => t.read({ endpoint, as, version: requested })))
  const asked = await readUnder(version)
  const others = await readUnder(other)
  if (!asked.some(({ ok }) => ok)) {
    const served = others.filter(({ ok }) => ok)
    if (served.length === 0) t.untested('neither version is supported')
    // The target's own time (readings G10); a response without a date counts as of today.
    const [now = Date.now()] = served
      .map((response) => Date.parse(response.header('date') ?? ''))
      .filter(Number.isFinite)
    if (!due(now)) t.untested(`${version} is not supported, which is permitted at this time`)
    const statuses = [...new Set(asked.map(({ status }) => status))].join(' and ')
    t.deviation({
      expected: `${version} to be supported, as ${other} is`,
      actual: statuses,
      exchanges: [...asked, ...served],
    })
  }
  if (!(await allForms(t, needs)).some(followsHeader))
    t.untested('no response shows which version it is of', 'version-request')
  t.examined(1)
}

/** A response by which the versions can be told apart: only the older version's objects have the first field that the change removes. */
interface Sign {
  readonly spec: RequestSpec
  readonly change: ChangeNumber
  /** The objects in the response; those at the top level when absent. */
  readonly objects?: (response: Exchange) => readonly Located<JsonObject>[]
}

function signsOf(t: CheckContext, needs: Needs): Sign[] {
  const { reader: as, gist, pulls, issues } = needs
  const declared = (change: ChangeNumber, family: Needs['pulls']): Sign[] => {
    const request = family?.requests.find(({ method }) => method === 'GET')
    return request
      ? [{ spec: declaredSpec(t, needs, change, request), change, objects: issuesAndPulls }]
      : []
  }
  return [
    { spec: { endpoint: changeEndpoints.rateLimit, as }, change: 1 },
    { spec: { endpoint: changeEndpoints.root, as }, change: 6 },
    ...(gist
      ? [
          {
            spec: { endpoint: changeEndpoints.gist, params: { gist_id: gist.gist_id }, as },
            change: 8,
          },
        ]
      : []),
    ...declared(17, pulls),
    ...declared(19, issues),
    {
      spec: { endpoint: endpoints.publicEvents, as },
      change: 17,
      objects: (response) => objectsOf(response, ['pull request']),
    },
  ]
}

const issuesAndPulls = (response: Exchange) =>
  topLevelOf(response).filter(({ value }) => canHave(embeddedRemovals.assignee, value))

/** Whose form a response has under each version. */
interface Forms {
  readonly older: string | undefined
  readonly newer: string | undefined
  readonly exchanges: readonly Exchange[]
}

/** The version whose form a response has, under each version; undefined if the form does not reveal it. */
async function formsOf(t: CheckContext, { spec, change, objects = topLevelOf }: Sign) {
  const [{ field }] = removedFields(change)
  const exchanges = await Promise.all(
    [firstVersion, latestVersion].map((version) => t.read({ ...spec, version })),
  )
  const [older, newer] = exchanges.map((response) => {
    const found = objects(response).filter(({ value }) => Object.keys(value).length > 0)
    if (found.length === 0) return undefined
    return found.some(({ value }) => field in value) ? firstVersion : latestVersion
  })
  return { older, newer, exchanges }
}

/** The forms of every response by which the versions can be told apart. */
async function allForms(t: CheckContext, needs: Needs) {
  return fulfilled(signsOf(t, needs).map((sign) => formsOf(t, sign)))
}

/** True for a response that has the form of the version that was asked for, under either of them. */
const followsHeader = ({ older, newer }: Forms) => older === firstVersion && newer === latestVersion

/** The results of those probes that got a response; throws the first failure where none did. */
async function fulfilled<Result>(probes: readonly Promise<Result>[]) {
  const settled = await Promise.allSettled(probes)
  const results = settled.filter((probe) => probe.status === 'fulfilled').map(({ value }) => value)
  const failure = settled.find((probe) => probe.status === 'rejected')
  if (results.length === 0 && failure) throw failure.reason
  return results
}
