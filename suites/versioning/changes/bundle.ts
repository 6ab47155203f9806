import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { earlyLevel, removedFields, replacementOf } from '../../../src/spec/changes.ts'
import { type Endpoint, pathParameters } from '../../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { type Check, check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { loginOf, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { readOffered, sendOffered } from '../common/offered.ts'
import { outermost } from '../common/outermost.ts'
import { shownRemoval } from '../common/shown-change.ts'

const needs = {
  owner: role('owner'),
  subject: need('attestation'),
  organization: optional(need('organization')),
  repository: optional(need('public-repository')),
  username: optional(loginOf('owner')),
}
type Needs = Resolved<typeof needs>

const [embedded] = removedFields(21)
const { field: bundle } = embedded
const { field: link } = replacementOf(21)

const lists: Readonly<Record<string, Endpoint>> = {
  'organization-attestations': changeEndpoints.orgAttestations,
  'repository-attestations': changeEndpoints.repositoryAttestations,
  'user-attestations': changeEndpoints.userAttestations,
  'list-organization-attestations': changeEndpoints.orgAttestationList,
  'list-user-attestations': changeEndpoints.userAttestationList,
}

/** Change 21: attestations are linked (bundle_url), no longer embedded (bundle). */
export default suite({
  area: 'versioning',
  endpoint: changeEndpoints.repositoryAttestations,
  checks: Object.entries(lists).flatMap(([operation, endpoint]) => attestationChecks(`versioning.${operation}`, endpoint)),
})

function attestationChecks(id: string, endpoint: Endpoint): Check[] {
  const writes = endpoint.method === 'POST'
  const shared = { requirement: 'versioning.change-21', needs, endpoint, writes }
  // The comparison of answers lists what a GET loses.
  const shows = writes ? { shows: shownRemoval(21, endpoint) } : {}
  return [
    check({
      id: `${id}.removed-${bundle}`,
      ...shared,
      ...shows,
      level: 'must',
      title: `omits ${bundle} from each attestation`,
      versions: [latestVersion],
      run: async (t, resolved) => {
        // Only what is known to be an attestation is without a bundle.
        const found = (await attestations(t, endpoint, resolved)).filter(({ value }) => bundle in value || link in value)
        t.expectAll(found, 'attestation').satisfy(`no member ${bundle}`, (object) => !Object.hasOwn(object, bundle))
      },
    }),
    check({
      id: `${id}.${link.replace('_', '-')}`,
      ...shared,
      level: 'must',
      title: `includes ${link} in each attestation`,
      versions: [latestVersion],
      run: async (t, resolved) => {
        const found = await attestations(t, endpoint, resolved)
        t.expectAll(found, 'attestation').satisfy(`a string ${link}`, (object) => typeof object[link] === 'string')
      },
    }),
    check({
      id: `${id}.kept-${bundle}`,
      ...shared,
      ...shows,
      level: earlyLevel(embedded),
      title: `keeps ${bundle} in each attestation`,
      versions: [firstVersion],
      run: async (t, resolved) => {
        const found = await attestations(t, endpoint, resolved)
        t.expectAll(found, 'attestation').satisfy(`the member ${bundle}`, (object) => Object.hasOwn(object, bundle))
      },
    }),
  ]
}

/** The attestation's own parameters, or where they are not given those of the usual organisation, repository and user. */
async function attestations(t: CheckContext, endpoint: Endpoint, needs: Needs): Promise<Located<JsonObject>[]> {
  const { owner, organization, repository, username } = needs
  const usual = { ...organization, ...repository, ...(username === undefined ? {} : { username }) }
  const subject: Readonly<Record<string, string>> = { ...usual, ...needs.subject }
  const params = Object.fromEntries(pathParameters(endpoint.path ?? '').map((name) => [name, subject[name] ?? '']))
  const absent = Object.keys(params)
    .filter((name) => params[name] === '')
    .join(' and ')
  const missing = [{ need: 'attestation', how: `add ${absent} to the need attestation` }]
  if (absent !== '') t.untested(`${absent} of an attestation is not known`, missing)
  const body = { subject_digests: [subject.subject_digest] }
  const spec = { endpoint, params, as: owner }
  return attestationsIn(endpoint.method === 'POST' ? await sendOffered(t, { ...spec, body }) : await readOffered(t, spec))
}

/** How attestations are wrapped is not shown: they hold one of the two members, or are what the first lists of the body hold. */
function attestationsIn(exchange: Exchange): Located<JsonObject>[] {
  const root = { value: exchange.json, exchange, pointer: '' }
  const marked = outermost(root, (object) => bundle in object || link in object)
  return marked.length > 0 ? marked : outermost(root, (_, listed) => listed)
}
