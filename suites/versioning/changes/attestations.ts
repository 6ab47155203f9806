import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, removedFields, replacementOf } from '../../../src/spec/changes/changes.ts'
import { type Endpoint, endpointLabel } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type Resolved, role } from '../../../src/suite/needs.ts'
import { attestationNeeds, attestationSpec, changeRow, each } from '../common/change-row.ts'
import { outermost, readByEachOffered, sendOffered } from '../common/requests.ts'

const needs = { owner: role('owner'), ...attestationNeeds }
type Needs = Resolved<typeof needs>

const [embedded] = removedFields(21)
const { field: bundle } = embedded
const { field: link } = replacementOf(21)

const lists = {
  'organization-attestations': changeEndpoints.orgAttestations,
  'repository-attestations': changeEndpoints.repositoryAttestations,
  'user-attestations': changeEndpoints.userAttestations,
  'list-organization-attestations': changeEndpoints.orgAttestationList,
  'list-user-attestations': changeEndpoints.userAttestationList,
}

/** Change 21: attestations are linked (bundle_url), no longer embedded (bundle). */
export const attestations = Object.entries(lists).flatMap(([name, endpoint]) => {
  const removal = {
    change: 21,
    endpoint: endpointLabel(endpoint),
    at: `/*/${bundle}`,
    kind: 'removed',
    older: 'object',
    newer: '',
  } as const
  // The comparison of responses lists the members that a GET loses.
  const shown = endpoint.method === 'GET' ? {} : { shows: removal }
  const row = { change: 21, name, endpoint, needs, request: sendForAttestations }
  return [
    ...changeRow({
      ...row,
      ...shown,
      keeps: [embedded],
      objects: attestationsIn,
      newer: {
        [`removed-${bundle}`]: {
          title: `omits ${bundle} from each attestation`,
          judge: each(
            'attestation',
            `no member ${bundle}`,
            (object) => !(bundle in object),
            knownIn,
          ),
        },
      },
    }),
    ...changeRow({
      ...row,
      newer: {
        [link.replace('_', '-')]: {
          title: `includes ${link} in each attestation`,
          judge: each(
            'attestation',
            `a string ${link}`,
            (object) => typeof object[link] === 'string',
            attestationsIn,
          ),
        },
      },
    }),
  ]
})

async function sendForAttestations(t: CheckContext, known: Needs, endpoint: Endpoint) {
  const spec = attestationSpec(t, known, endpoint)
  if (endpoint.method === 'GET') return readByEachOffered(t, spec)
  return sendOffered(t, { ...spec, body: { subject_digests: [known.subject.subject_digest] } })
}

/** Attestations may be wrapped in any way: they have one of the two members, or are the items of the outermost lists. */
function attestationsIn(exchange: Exchange) {
  const known = knownIn(exchange)
  return known.length > 0 ? known : outermost(bodyOf(exchange), (_, listed) => listed)
}

/** Only an object that is known to be an attestation can lack a bundle. */
function knownIn(exchange: Exchange) {
  return outermost(bodyOf(exchange), (object) => bundle in object || link in object)
}

const bodyOf = (exchange: Exchange) => ({ value: exchange.json, exchange, pointer: '' })
