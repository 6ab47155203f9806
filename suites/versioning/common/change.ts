import type { ShownChange } from '../../../src/record/check-record.ts'
import { type ChangeNumber, partOf, removedFields } from '../../../src/spec/changes/changes.ts'
import { type Endpoint, endpointLabel } from '../../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { type OperationMetadata, operation } from '../../../src/suite/check.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'

/** The operation of a change: for claims about both versions, about the newer one and about the older one. */
export function ofChange<const Needs extends NeedMap>(
  change: ChangeNumber,
  shared: Omit<OperationMetadata<Needs>, 'level' | 'requirement' | 'versions'>,
) {
  const both = operation<Needs>({ ...shared, level: 'must', requirement: `versioning.change-${change}` })
  return {
    both,
    underLatest: both.with({ versions: [latestVersion] }),
    underFirst: both.with({ versions: [firstVersion] }),
  }
}

/** The status of an endpoint after a change, as the table of differences lists it. */
export function shownStatus(change: ChangeNumber, endpoint: Endpoint): ShownChange {
  const { older, newer } = partOf(change, 'status')
  return { change, endpoint: endpointLabel(endpoint), at: 'status', kind: 'status', older: `${older}`, newer: `${newer}` }
}

/** The request member that a change removes or restricts. */
export function shownRequest(change: ChangeNumber): ShownChange {
  const { field, on, older, newer } = partOf(change, 'request')
  return { change, endpoint: endpointLabel(on), at: `request, ${field}`, kind: 'request', older, newer }
}

/** The operation that a change removes. */
export function shownOperation(change: ChangeNumber): ShownChange {
  const { address } = partOf(change, 'operation')
  return { change, endpoint: address, at: 'status', kind: 'status', older: 'served', newer: 'gone' }
}

/** The object that a change removes from the items of a list. Its responses are not compared, since the request is a POST. */
export function shownRemoval(change: ChangeNumber, endpoint: Endpoint): ShownChange {
  const [{ field }] = removedFields(change)
  return { change, endpoint: endpointLabel(endpoint), at: `/*/${field}`, kind: 'removed', older: 'object', newer: '' }
}
