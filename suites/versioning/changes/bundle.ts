import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, earlyLevel, removedFields, replacementOf } from '../../../src/spec/changes/changes.ts'
import { type Endpoint, pathParameters } from '../../../src/spec/endpoints.ts'
import { type Check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { loginOf, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { ofChange, outermost, readByEachOffered, sendOffered, shownRemoval } from '../common/change.ts'

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
  checks: Object.entries(lists).flatMap(([name, endpoint]) => attestationChecks(`versioning.${name}`, endpoint)),
})

function attestationChecks(id: `versioning.${string}`, endpoint: Endpoint): Check[] {
  const writes = endpoint.method === 'POST'
  const { underLatest, underFirst } = ofChange(21, { id, endpoint, needs, writes })
  // The comparison of responses lists the members that a GET loses.
  const shows = writes ? { shows: shownRemoval(21, endpoint) } : {}
  return [
    underLatest.check(`removed-${bundle}`, `omits ${bundle} from each attestation`, shows, async (t, resolved) => {
      // Only an object that is known to be an attestation can lack a bundle.
      const known = (await attestations(t, endpoint, resolved)).filter(({ value }) => bundle in value || link in value)
      t.expectAll(known, 'attestation').satisfy(`no member ${bundle}`, (object) => !Object.hasOwn(object, bundle))
    }),
    underLatest.check(link.replace('_', '-'), `includes ${link} in each attestation`, async (t, resolved) => {
      const all = t.expectAll(await attestations(t, endpoint, resolved), 'attestation')
      all.satisfy(`a string ${link}`, (object) => typeof object[link] === 'string')
    }),
    underFirst.check(
      `kept-${bundle}`,
      `keeps ${bundle} in each attestation`,
      { ...shows, level: earlyLevel(embedded) },
      async (t, resolved) => {
        const all = t.expectAll(await attestations(t, endpoint, resolved), 'attestation')
        all.satisfy(`the member ${bundle}`, (object) => Object.hasOwn(object, bundle))
      },
    ),
  ]
}

/** The attestations of the need's subject. Missing parameters are those of the usual organization, repository and user. */
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
  const responses = endpoint.method === 'POST' ? [await sendOffered(t, { ...spec, body })] : await readByEachOffered(t, spec)
  return responses.flatMap(attestationsIn)
}

/** Attestations may be wrapped in any way: they have one of the two members, or are the items of the outermost lists. */
function attestationsIn(exchange: Exchange): Located<JsonObject>[] {
  const root = { value: exchange.json, exchange, pointer: '' }
  const marked = outermost(root, (object) => bundle in object || link in object)
  return marked.length > 0 ? marked : outermost(root, (_, listed) => listed)
}
