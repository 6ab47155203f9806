import { outline, type Place } from './outline.ts'

/** What a reading cites that concerns no section in particular. */
const wholeDocument = 'The whole document'

/** Numbers of rules, changes or statuses: `rule 7`, `rules 3 and 4`, `change 16`, `304`. */
const numbers = /^(?:(rule|change)s? )?(\d+(?: and \d+)*)$/
/** Words for something inside a place: a column, a list, a field, a permission category. */
const words = /^(?:[a-z][a-z ]*|`\w+`|(?:Organization|Repository|User) permission [\w ]+)$/

/**
 * The places in a citation that the document does not have. A citation is one or several places with semicolons between
 * them; a place is a section, a section and its part, or a part alone, with numbers of rules, changes or statuses behind it.
 */
export function unknownPlaces(citation: string): string[] {
  return citation.split(/;\s*/).filter((place) => place !== wholeDocument && !isKnown(place))
}

function isKnown(citation: string): boolean {
  const [first = '', ...rest] = citation.split(', ')
  // A name may end with a number of its own.
  const [, name = '', trailing] = named(first) ? ['', first] : (/^(.*?) (\d+(?: and \d+)*)$/.exec(first) ?? ['', first])
  const place = named(name)
  if (place === undefined) return false
  const part = partOf(place, rest[0])
  const details = [...(trailing === undefined ? [] : [trailing]), ...rest.slice(part === undefined ? 0 : 1)]
  return details.every((detail) => isDetail(part ?? place, detail))
}

function named(name: string): Place | undefined {
  return outline.flatMap((section) => [section, ...(section.parts ?? [])]).find((place) => place.name === name)
}

function partOf(place: Place, name: string | undefined): Place | undefined {
  return outline.find((section) => section === place)?.parts?.find((part) => part.name === name)
}

/** A number is that of a rule or row where the place numbers them, else a status. */
function isDetail(place: Place, detail: string): boolean {
  const [, kind, list] = numbers.exec(detail) ?? []
  if (list === undefined) return words.test(detail)
  const most = kind === 'change' ? named('Changes in version 2026-03-10')?.numbered : place.numbered
  return list.split(' and ').every((number) => isNumberOf(Number(number), most))
}

function isNumberOf(number: number, most: number | undefined): boolean {
  return most === undefined ? number >= 100 && number < 600 : number >= 1 && number <= most
}
