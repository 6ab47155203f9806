import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located, member } from '../../../src/suite/located.ts'
import { topLevelOf } from '../../common/removed-fields.ts'
import { fullName, type RepositoryName } from './start-request.ts'

/** A timestamp with a numeric offset from UTC, with or without fractions of a second (readings E3). */
const numericOffset =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)([.,]\d+)?[+-]\d{2}(:?\d{2})?$/

/** True for an instant as migrations write it. */
export const hasNumericOffset = (value: unknown) =>
  typeof value === 'string' && numericOffset.test(value)

export function isUuid(value: unknown) {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
}

/** The states that the document names. */
const states = ['pending', 'exporting', 'exported', 'failed']

/** True for a usable state: a documented one as it is written, or an unknown word (readings E24). */
export function isState(value: unknown) {
  return (
    typeof value === 'string' &&
    value !== '' &&
    (states.includes(value) || !states.includes(value.toLowerCase()))
  )
}

/** Notes a state that the document does not name. */
export function observeState(t: CheckContext, value: unknown) {
  if (typeof value === 'string' && !states.includes(value))
    t.observe('migration states', JSON.stringify(value), states.join(', '))
}

/** The object of a body, located. */
export const bodyOf = (exchange: Exchange) => ({
  value: exchange.json,
  exchange,
  pointer: '',
})

/** One member of each of some objects; objects without it are left to the check of the shape. */
export const membersOf = (items: readonly Located[], name: string): Located[] =>
  items.flatMap((item) => member(item, name) ?? [])

/** True when an element of `repositories` is the named one, by any of its names (readings E11); undefined if it has no name. */
function isNamed(element: unknown, wanted: RepositoryName) {
  if (!isObject(element)) return undefined
  const { full_name, name } = element
  const known = typeof full_name === 'string' ? full_name : name
  return typeof known === 'string'
    ? [wanted.repo, fullName(wanted)].some((each) => same(each, known))
    : undefined
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Ends the check as deviating unless a list contains exactly these repositories, one element each. */
export function expectRepositories(
  t: CheckContext,
  list: Located,
  wanted: readonly RepositoryName[],
) {
  expectNoStrangers(t, list, wanted)
  const elements = Array.isArray(list.value) ? list.value : []
  const missing = wanted.filter(
    (name) => !elements.some((element) => isNamed(element, name) !== false),
  )
  t.expectAll([list], 'list').satisfy(
    `exactly the repositories ${wanted.map(fullName).join(', ')}`,
    () => elements.length === wanted.length && missing.length === 0,
    () => `${elements.length} elements; missing: ${missing.map(fullName).join(', ') || 'none'}`,
  )
}

/** Ends the check as deviating if a list contains another repository; it may contain fewer before the export (readings E25). */
export function expectNoStrangers(
  t: CheckContext,
  list: Located,
  wanted: readonly RepositoryName[],
) {
  const isStranger = (element: unknown) => !wanted.some((name) => isNamed(element, name) !== false)
  t.expectAll([list], 'list').satisfy(
    `no other repository than ${wanted.map(fullName).join(', ')}`,
    (elements) => Array.isArray(elements) && !elements.some(isStranger),
    (elements) =>
      Array.isArray(elements) ? nameOf(elements.find(isStranger)) : 'a value that is not an array',
  )
}

/** The name of an element, as it is. */
function nameOf(element: unknown) {
  const { full_name, name } = isObject(element) ? element : {}
  return `the repository ${String(full_name ?? name ?? JSON.stringify(element))}`
}

/** The repositories of a migration, or of each migration in a list, by their place: their remaining fields are open (readings E11). */
export function migratedRepositories(exchange: Exchange): Located<JsonObject>[] {
  return topLevelOf(exchange).flatMap(({ value, pointer }) => {
    const { repositories } = value
    const listed = Array.isArray(repositories) ? repositories : []
    return listed.flatMap((item, index) =>
      isObject(item)
        ? [{ value: item, exchange, pointer: `${pointer}/repositories/${index}` }]
        : [],
    )
  })
}
