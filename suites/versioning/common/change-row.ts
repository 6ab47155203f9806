import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { ShownChange } from '../../../src/record/check-record.ts'
import {
  type ChangeNumber,
  earlyLevel,
  partOf,
  type RemovedField,
} from '../../../src/spec/changes/changes.ts'
import { type Endpoint, endpointLabel, pathParameters } from '../../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import {
  type Check,
  type OperationMetadata,
  operation,
  type Suite,
  suite,
} from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { loginOf, type NeedMap, need, optional, type Resolved } from '../../../src/suite/needs.ts'
import {
  expectMember,
  type RemovalSubject,
  removedFieldChecks,
  topLevelOf,
} from '../../common/removed-fields.ts'
import { readByEachOffered } from './requests.ts'

/** The objects in a response that a claim is about. */
type ObjectsIn = (response: Exchange) => readonly Located<JsonObject>[]

/** Judges the responses of a row. A judge that needs other requests sends them itself. */
type Judge<Needs extends NeedMap> = (
  t: CheckContext,
  responses: readonly Exchange[],
  needs: Resolved<Needs>,
) => void | Promise<void>

/** A statement about the responses of a row, with the metadata in which its check differs from the row. */
interface Claim<Needs extends NeedMap>
  extends Partial<Pick<OperationMetadata<Needs>, 'level' | 'schedule' | 'shows' | 'requirement'>> {
  readonly title: string
  readonly judge: Judge<Needs>
}

/** Statements by the last part of their checks' ids. */
type Claims<Needs extends NeedMap> = Readonly<Record<string, Claim<Needs>>>

/**
 * One row of the table of changes: a request, and the forms of its responses in both versions. Change 1 as an example:
 *
 * | column | meaning | example |
 * |---|---|---|
 * | `change` | the number of the change in the document | `1` |
 * | `name` | the second part of the checks' ids | `'rate-limit'` |
 * | `endpoint`, `needs`, `schedule`, `shows` | the metadata that its checks share | `changeEndpoints.rateLimit` |
 * | `writes` | true for a GET whose checks send other requests, too; derived for every other method | absent |
 * | `request` | sends the request; absent where every judge sends its own | `readByReader` |
 * | `omits` | the fields that the newer version removes from the objects in the responses | `removedFields(1)`: `rate` |
 * | `keptJudgedApart` | other rows judge whether the older version still has these fields | absent |
 * | `keeps` | the fields that each object must have under the older version, each at its own level | `removedFields(1)` |
 * | `objects` | the objects of `keeps` in a response | absent: the objects at the top level |
 * | `newer` | the claims about the newer version | `resources-core`: the quota is an object `resources.core` |
 * | `older` | the claims about the older version | absent: `keeps` says it all |
 * | `early` | the level of the claims in `older`: the newer form already in the older version fails or warns | absent |
 * | `both` | the claims about either version | absent |
 */
export interface ChangeRow<Needs extends NeedMap>
  extends Omit<OperationMetadata<Needs>, 'id' | 'level' | 'requirement' | 'versions'>,
    Pick<RemovalSubject<Needs>, 'keptJudgedApart'> {
  readonly change: ChangeNumber
  readonly name: string
  readonly endpoint: Endpoint
  readonly request?: Request<Needs>
  readonly omits?: readonly RemovedField[]
  readonly keeps?: readonly RemovedField[]
  readonly objects?: ObjectsIn
  readonly newer?: Claims<Needs>
  readonly older?: Claims<Needs>
  readonly early?: OperationMetadata<Needs>['level']
  readonly both?: Claims<Needs>
}

/** Sends the request of a row to its endpoint. */
type Request<Needs extends NeedMap> = (
  t: CheckContext,
  needs: Resolved<Needs>,
  endpoint: Endpoint,
) => Promise<Exchange | readonly Exchange[]>

/** Makes the checks of a row. */
export function changeRow<const Needs extends NeedMap>(row: ChangeRow<Needs>) {
  const {
    change,
    name,
    request = async () => [],
    omits = [],
    keptJudgedApart = false,
    keeps = [],
    objects = topLevelOf,
    newer = {},
    older = {},
    early = 'must',
    both = {},
    ...shared
  } = row
  const operated = operation<Needs>({
    writes: row.endpoint.method !== 'GET',
    ...shared,
    id: `versioning.${name}`,
    level: 'must',
    requirement: `versioning.change-${change}`,
  })
  const read = async (t: CheckContext, needs: Resolved<Needs>) =>
    [await request(t, needs, row.endpoint)].flat()
  const claimed = (claims: Claims<Needs>, under: Partial<OperationMetadata<Needs>>) =>
    Object.entries(claims).map(([aspect, { title, judge, ...own }]) =>
      operated.check(aspect, title, { ...under, ...own }, async (t, needs) =>
        judge(t, await read(t, needs), needs),
      ),
    )
  return [
    ...removedFieldChecks(operated, { fields: omits, keptJudgedApart, read }),
    ...claimed(newer, { versions: [latestVersion] }),
    ...claimed(
      { ...keptClaims(keeps, objects), ...older },
      { versions: [firstVersion], level: early },
    ),
    ...claimed(both, {}),
  ]
}

/** The older version still has the fields, each at its own level (readings V2). */
function keptClaims(fields: readonly RemovedField[], objects: ObjectsIn) {
  const claims: Record<string, Claim<NeedMap>> = {}
  for (const removed of fields) {
    const { field, in: kinds } = removed
    const holder = typeof kinds === 'string' ? kinds : kinds.join(' or ')
    claims[`kept-${field.replaceAll('_', '-')}`] = {
      title: `keeps ${field} in each ${holder}`,
      level: earlyLevel(removed),
      judge: (t, responses) => expectMember(t, responses.flatMap(objects), field, holder),
    }
  }
  return claims
}

/** Expects that each object in the responses fits. */
export function each(
  holder: string,
  expected: string,
  fits: (object: JsonObject) => boolean,
  objects: ObjectsIn = topLevelOf,
) {
  return (t: CheckContext, responses: readonly Exchange[]) => {
    t.expectAll(responses.flatMap(objects), holder).satisfy(
      expected,
      fits,
      (object) => `the members ${Object.keys(object).join(', ')}`,
    )
  }
}

/** The suite of some rows, about one of their endpoints. */
export function changeSuite(endpoint: Endpoint, ...rows: readonly (readonly Check[])[]): Suite {
  return suite({ area: 'versioning', endpoint, checks: rows.flat() })
}

/**
 * The request of the owner to an endpoint. Its path parameters have the values of the needs: those of their members, or of the needs
 * themselves. A parameter without a value is empty.
 */
export function specOf(endpoint: Endpoint, { owner: as, ...needs }: { readonly owner: Caller }) {
  const known: JsonObject = Object.assign({}, needs, ...Object.values(needs).filter(isObject))
  const params = Object.fromEntries(
    pathParameters(endpoint.path ?? '').map((name) => [name, String(known[name] ?? '')]),
  )
  return { endpoint, params, as }
}

/** The parameters of an attestation. Those that its need lacks are those of the usual organization, repository and user. */
export const attestationNeeds = {
  organization: optional(need('organization')),
  repository: optional(need('public-repository')),
  username: optional(loginOf('owner')),
  subject: need('attestation'),
}

/** The request for the attestations of the need's subject. Ends the check as untested if a parameter is not known. */
export function attestationSpec(
  t: CheckContext,
  known: Resolved<typeof attestationNeeds> & { readonly owner: Caller },
  endpoint: Endpoint,
) {
  const spec = specOf(endpoint, known)
  const absent = Object.keys(spec.params)
    .filter((name) => spec.params[name] === '')
    .join(' and ')
  if (absent !== '')
    t.untested(`${absent} of an attestation is not known`, [
      { need: 'attestation', how: `add ${absent} to the need attestation` },
    ])
  return spec
}

/** Reads the endpoint of a row as the owner. */
export function readByOwner(
  t: CheckContext,
  needs: { readonly owner: Caller },
  endpoint: Endpoint,
) {
  return readByEachOffered(t, specOf(endpoint, needs))
}

/** Reads the endpoint of a row as any caller. */
export function readByReader(
  t: CheckContext,
  { reader: as }: { readonly reader: Caller },
  endpoint: Endpoint,
) {
  return readByEachOffered(t, { endpoint, as })
}

/** The status of an endpoint after a change, as the table of differences lists it. */
export function shownStatus(change: ChangeNumber, endpoint: Endpoint): ShownChange {
  const { older, newer } = partOf(change, 'status')
  return {
    change,
    endpoint: endpointLabel(endpoint),
    at: 'status',
    kind: 'status',
    older: `${older}`,
    newer: `${newer}`,
  }
}

/** The request member that a change removes or restricts. */
export function shownRequest(change: ChangeNumber): ShownChange {
  const { field, on, older, newer } = partOf(change, 'request')
  return {
    change,
    endpoint: endpointLabel(on),
    at: `request, ${field}`,
    kind: 'request',
    older,
    newer,
  }
}
