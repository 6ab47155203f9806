import type { Exchange } from '../../src/http/exchange.ts'
import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { type Endpoint, pathParameters } from '../../src/spec/endpoint.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { type Check, check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { JsonObject, Located } from '../../src/suite/located.ts'
import { loginOf, need, optional, type Resolved, role } from '../../src/suite/needs.ts'
import { readOffered, sendOffered } from './offered.ts'
import { outermost } from './outermost.ts'

const at = changeEndpoints
const needs = {
  owner: role('owner'),
  subject: need('attestation'),
  organization: optional(need('organization')),
  repository: optional(need('public-repository')),
  username: optional(loginOf('owner')),
}
type Needs = Resolved<typeof needs>

const lists: Readonly<Record<string, Endpoint>> = {
  'organization-attestations': at.orgAttestations,
  'repository-attestations': at.repositoryAttestations,
  'user-attestations': at.userAttestations,
  'list-organization-attestations': at.orgAttestationList,
  'list-user-attestations': at.userAttestationList,
}

/** Change 21: attestations are linked (bundle_url), no longer embedded (bundle). */
export default suite({
  area: 'versioning',
  endpoint: at.repositoryAttestations,
  checks: Object.entries(lists).flatMap(([operation, endpoint]) => attestationChecks(`versioning.${operation}`, endpoint)),
})

function attestationChecks(id: string, endpoint: Endpoint): Check[] {
  const writes = endpoint.method === 'POST'
  const shared = { requirement: 'versioning.change-21', level: 'must', needs, endpoint, writes } as const
  return [
    check({
      id: `${id}.removed-bundle`,
      ...shared,
      title: 'no attestation holds bundle',
      versions: [latestVersion],
      run: async (t, resolved) => {
        const found = await attestations(t, endpoint, resolved)
        t.expectAll(found, 'attestation').satisfy('no member bundle', (object) => !Object.hasOwn(object, 'bundle'))
      },
    }),
    check({
      id: `${id}.bundle-url`,
      ...shared,
      title: 'every attestation holds bundle_url',
      versions: [latestVersion],
      run: async (t, resolved) => {
        const found = await attestations(t, endpoint, resolved)
        t.expectAll(found, 'attestation').satisfy('a string bundle_url', ({ bundle_url }) => typeof bundle_url === 'string')
      },
    }),
    check({
      id: `${id}.kept-bundle`,
      ...shared,
      title: 'every attestation still holds bundle',
      versions: [firstVersion],
      run: async (t, resolved) => {
        const found = await attestations(t, endpoint, resolved)
        t.expectAll(found, 'attestation').satisfy('the member bundle', (object) => Object.hasOwn(object, 'bundle'))
      },
    }),
  ]
}

/** The attestation's own parameters, or where they are not given those of the usual organisation, repository and user. */
async function attestations(t: CheckContext, endpoint: Endpoint, needs: Needs): Promise<Located<JsonObject>[]> {
  const { owner, organization, repository, username } = needs
  const usual = { ...organization, ...repository, ...(username === undefined ? {} : { username }) }
  const subject: Readonly<Record<string, string>> = { ...usual, ...needs.subject }
  const names = pathParameters(endpoint.path ?? '')
  const absent = names.filter((name) => subject[name] === undefined)
  const missing = [{ need: 'attestation', how: `add ${absent.join(' and ')} to the need attestation` }]
  if (absent.length > 0) t.untested(`${absent.join(' and ')} of an attestation is not known`, missing)
  const params = Object.fromEntries(names.map((name) => [name, subject[name] as string]))
  const body = { subject_digests: [subject.subject_digest] }
  const spec = { endpoint, params, as: owner }
  return attestationsIn(endpoint.method === 'POST' ? await sendOffered(t, { ...spec, body }) : await readOffered(t, spec))
}

/** How attestations are wrapped is not shown: they hold one of the two members, or are what the first lists of the body hold. */
function attestationsIn(exchange: Exchange): Located<JsonObject>[] {
  const root = { value: exchange.json, exchange, pointer: '' }
  const marked = outermost(root, (object) => 'bundle' in object || 'bundle_url' in object)
  return marked.length > 0 ? marked : outermost(root, (_, listed) => listed)
}
