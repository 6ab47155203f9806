import type { ShownChange } from '../../../src/record/check-record.ts'
import type { ChangeNumber } from '../../../src/spec/change-endpoints.ts'
import { partOf, removedFields } from '../../../src/spec/changes.ts'
import { type Endpoint, endpointLabel } from '../../../src/spec/endpoints.ts'

/** The status that a change gives to an endpoint, as the table of differences lists it. */
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

/** The object that a change removes from the items of a list whose answers are not compared, since a POST asks for it. */
export function shownRemoval(change: ChangeNumber, endpoint: Endpoint): ShownChange {
  const [{ field }] = removedFields(change)
  return { change, endpoint: endpointLabel(endpoint), at: `/*/${field}`, kind: 'removed', older: 'object', newer: '' }
}
