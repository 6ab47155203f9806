import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, familyOf, partOf } from '../../../src/spec/changes/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { need, reader, role } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { topLevelOf } from '../../common/removed-fields.ts'
import { changeRow, readByOwner, specOf } from '../common/change-row.ts'
import { familyNeeds, readFamily } from '../common/declared.ts'
import { afterOther, listingSpec, readByEachOffered } from '../common/requests.ts'

const type = partOf(3, 'value')
const [submodule] = type.newer
const [file] = type.older

/** Change 3: submodules in a directory listing have a type of their own (readings V18). */
export const submoduleType = changeRow({
  change: 3,
  name: 'contents',
  endpoint: changeEndpoints.contents,
  needs: { reader: reader(), listing: need('submodule-listing') },
  request: (t, { reader, listing }) => readByEachOffered(t, listingSpec(reader, listing)),
  newer: {
    'submodule-type': {
      title: `lists a submodule with type ${submodule}`,
      judge: (t, responses, { listing: { name } }) => {
        const entries = entriesIn(t, responses, name)
        // Without its name, the submodule is any of the entries.
        const judged =
          name === undefined ? entries.filter(({ value }) => isSubmodule(value)) : entries
        t.expectAll(judged.length > 0 ? judged : entries, 'submodule').satisfy(
          `type ${submodule}`,
          isSubmodule,
        )
      },
    },
  },
  early: type.early,
  older: {
    'submodule-as-file': {
      title: `lists a submodule with a type other than ${submodule}`,
      judge: (t, responses, { listing: { name } }) => {
        const entries = t.expectAll(entriesIn(t, responses, name), 'entry')
        if (name === undefined)
          entries.satisfy(`no type ${submodule} yet`, (entry) => !isSubmodule(entry))
        else entries.satisfy(`type ${file}`, (entry) => entry.type === file)
      },
    },
  },
})

const isSubmodule = (entry: JsonObject) => entry.type === submodule

/** The entries of that name, or every entry of the listing without one. */
function entriesIn(t: CheckContext, responses: readonly Exchange[], name?: string) {
  const entries = responses
    .flatMap(topLevelOf)
    .filter(({ value }) => name === undefined || value.name === name)
  if (entries.length === 0)
    t.untested(`the listing has no entry ${name ?? ''}`, [
      { need: 'submodule-listing', how: 'name an entry of the listing' },
    ])
  return entries
}

const labels = partOf(4, 'media-type')

/** Change 4: a SARIF analysis is labelled with the requested type; only the media type counts (readings V16). */
export const sarif = changeRow({
  change: 4,
  name: 'analysis',
  endpoint: familyOf(4),
  needs: familyNeeds(4),
  request: (t, needs) =>
    readFamily(t, needs, 4, (spec) => readByEachOffered(t, { ...spec, accept: labels.newer })),
  newer: {
    'sarif-media-type': {
      title: `sends an analysis as ${labels.newer} when that is requested`,
      judge: hasMediaType(labels.newer),
    },
  },
  early: labels.early,
  older: {
    'former-media-type': {
      title: `sends an analysis as ${labels.older}`,
      judge: hasMediaType(labels.older),
    },
  },
})

function hasMediaType(name: string) {
  const pattern = new RegExp(`^${name.replace('+', '\\+')}\\s*(;|$)`, 'i')
  return (t: CheckContext, responses: readonly Exchange[]) => {
    for (const response of responses) t.expect(response).header('Content-Type', { name, pattern })
  }
}

const { older, newer, early } = partOf(11, 'value')

/** Change 11: two languages become one; values are compared whole (readings V19). */
export const languages = changeRow({
  change: 11,
  name: 'default-setup',
  endpoint: changeEndpoints.defaultSetup,
  needs: { owner: role('owner'), repository: need('default-setup') },
  request: readByOwner,
  newer: {
    languages: {
      title: `omits ${older.join(' and ')} from the languages`,
      judge: async (t, responses, needs) => {
        const both = await unlessUntested(
          afterOther(t, specOf(changeEndpoints.defaultSetup, needs)),
        )
        const former = both?.other
        // The older version lists the languages that the newer version replaces.
        const [own] = responses
        if (former && own && lists(former, older))
          t.expect(own, former).satisfy(
            `${newer.join()} in place of the former languages`,
            lists(own, newer),
            `no ${newer.join()}`,
          )
        t.expectAll(responses.flatMap(languagesOf), 'language').satisfy(
          `${newer.join(' or ')} in its place`,
          (language) => !older.some((former) => former === language),
        )
      },
    },
  },
  early,
  older: {
    'kept-languages': {
      title: `lists ${older.join(' or ')}, and not ${newer.join()} alone`,
      judge: (t, responses) => {
        // The older version must have one of the former values if it has the newer one. The document leaves open which.
        const renamed = responses.find(
          (response) => lists(response, newer) && !lists(response, older),
        )
        if (renamed)
          t.expect(renamed).satisfy(`${older.join(' or ')} among them`, false, newer.join())
        if (!lists(responses[0], older))
          t.untested(`none of the languages is ${[...older, ...newer].join(', ')}`, 'default-setup')
        t.examined(1)
      },
    },
  },
})

const lists = (response: Exchange | undefined, values: readonly unknown[]) =>
  response !== undefined && languagesOf(response).some(({ value }) => values.includes(value))

function languagesOf(exchange: Exchange) {
  const { json } = exchange
  const languages: unknown[] = isObject(json) && Array.isArray(json.languages) ? json.languages : []
  return languages.map((value, index) => ({ value, exchange, pointer: `/languages/${index}` }))
}
