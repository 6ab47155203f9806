import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, earlyLevel, familyOf, partOf } from '../../../src/spec/changes/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, type Resolved, reader, role } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { topLevelOf } from '../../common/removed-fields.ts'
import { afterOther, listingSpec, ofChange, readByEachOffered } from '../common/change.ts'
import { declaredSpec, type Family, familyNeeds } from '../common/declared.ts'

const endpoint = changeEndpoints.contents
const needs = { reader: reader(), listing: need('submodule-listing') }
type Needs = Resolved<typeof needs>
const type = partOf(3, 'value')
const [submodule] = type.newer
const [file] = type.older
const { both, underLatest, underFirst } = ofChange(3, { id: 'versioning.contents', endpoint, needs })

/** Change 3: submodules in a directory listing have a type of their own (readings V18). */
export const submoduleType = both.suite([
  underLatest.check('submodule-type', `lists a submodule with type ${submodule}`, async (t, resolved) => {
    const entries = await submodules(t, resolved)
    if (resolved.listing.name !== undefined) t.expectAll(entries, 'submodule').satisfy(`type ${submodule}`, isSubmodule)
    else if (!entries.some(({ value }) => isSubmodule(value)))
      t.expectAll(entries, 'entry').satisfy('a submodule among the entries', isSubmodule)
    else t.examined(1)
  }),
  underFirst.check(
    'submodule-as-file',
    `lists a submodule with a type other than ${submodule}`,
    { level: earlyLevel(type) },
    async (t, resolved) => {
      const entries = await submodules(t, resolved)
      const expected = resolved.listing.name === undefined ? `no type ${submodule} yet` : `type ${file}`
      t.expectAll(entries, 'entry').satisfy(expected, (entry) =>
        resolved.listing.name === undefined ? !isSubmodule(entry) : entry.type === file,
      )
    },
  ),
])

const isSubmodule = (entry: { readonly type?: unknown }): boolean => entry.type === submodule

/** The entry that the need names, or every entry of the listing. */
async function submodules(t: CheckContext, needs: Needs) {
  const entries = (await readByEachOffered(t, listingSpec(needs.reader, needs.listing))).flatMap(topLevelOf)
  const { name } = needs.listing
  const named = entries.filter(({ value }) => name === undefined || value.name === name)
  return named.length > 0
    ? named
    : t.untested(`the listing has no entry ${name ?? ''}`, [{ need: 'submodule-listing', how: 'name an entry of the listing' }])
}

const analysis = ofChange(4, { id: 'versioning.analysis', endpoint: familyOf(4), needs: familyNeeds(4) })
const labels = partOf(4, 'media-type')

/** Change 4: a SARIF analysis is labelled with the requested type; only the media type counts (readings V16). */
export const sarif = analysis.both.suite([
  analysis.underLatest.check('sarif-media-type', `sends an analysis as ${labels.newer} when that is requested`, (t, resolved) =>
    expectLabel(t, resolved, labels.newer),
  ),
  analysis.underFirst.check('former-media-type', `sends an analysis as ${labels.older}`, { level: labels.early }, (t, resolved) =>
    expectLabel(t, resolved, labels.older),
  ),
])

async function expectLabel(t: CheckContext, needs: Family, type: string): Promise<void> {
  const requests = needs.family.requests.filter(({ method }) => method === 'GET')
  for (const request of requests) {
    const responses = await readByEachOffered(t, { ...declaredSpec(t, needs, 4, request), accept: labels.newer })
    const pattern = new RegExp(`^${type.replace('+', '\\+')}\\s*(;|$)`, 'i')
    for (const response of responses) t.expect(response).header('Content-Type', { name: type, pattern })
  }
}

const { defaultSetup } = changeEndpoints
const part = partOf(11, 'value')
const { older, newer } = part
const setup = ofChange(11, {
  id: 'versioning.default-setup',
  endpoint: defaultSetup,
  needs: { owner: role('owner'), repository: need('default-setup') },
})

/** Change 11: two languages become one; values are compared whole (readings V19). */
export const languages = setup.both.suite([
  setup.underLatest.check('languages', `omits ${older.join(' and ')} from the languages`, async (t, { owner, repository }) => {
    const spec = { endpoint: defaultSetup, params: repository, as: owner }
    const responses = await readByEachOffered(t, spec)
    const [former] = (await unlessUntested(afterOther(t, spec))) ?? []
    // The older version lists what the newer version replaces.
    const isReplaced = !former || !lists(former, older) || lists(responses[0], newer)
    t.expect(responses[0]).satisfy(newer.join(), isReplaced, 'other languages alone')
    t.expectAll(responses.flatMap(languagesOf), 'language').satisfy(
      `${newer.join(' or ')} in its place`,
      (language) => !older.some((former) => former === language),
    )
  }),
  setup.underFirst.check(
    'kept-languages',
    `lists ${older.join(' or ')}, and not ${newer.join()} alone`,
    { level: earlyLevel(part) },
    async (t, { owner, repository }) => {
      const responses = await readByEachOffered(t, { endpoint: defaultSetup, params: repository, as: owner })
      const early = responses.find((response) => lists(response, newer) && !lists(response, older))
      const expected = `${older.join(' or ')} among the languages`
      // The older version must have one of the former values if it has the newer one. The document leaves open which.
      if (early) t.deviation({ expected, actual: newer.join(), pointer: '/languages', exchanges: [early] })
      if (!lists(responses[0], older)) t.untested(`none of the languages is ${[...older, ...newer].join(', ')}`, 'default-setup')
      t.examined(1)
    },
  ),
])

const lists = (response: Exchange, values: readonly unknown[]) =>
  languagesOf(response).some(({ value }) => values.includes(value))

function languagesOf(exchange: Exchange) {
  const languages = isObject(exchange.json) ? exchange.json.languages : undefined
  const values: unknown[] = Array.isArray(languages) ? languages : []
  return values.map((value, index) => ({ value, exchange, pointer: `/languages/${index}` }))
}
