import type { Config } from '../../config/config.ts'
import type { Locate } from '../../config/yaml-file.ts'
import type { Dialect } from '../../http/dialect/dialect.ts'
import { pathMatches } from '../../spec/endpoints.ts'
import type { DeclaredRequest } from '../../spec/needs.ts'
import { type Catalogue, catalogueOf } from '../../suite/catalogue.ts'
import { didYouMean, UsageError } from '../../text/errors.ts'

/** The values of a configuration for a need: one, or a list of them. */
export function staticValues(value: unknown) {
  return value === undefined ? [] : [value].flat()
}

/** True unless a static value contradicts a member of the request. */
export function agrees(value: unknown, specifics: unknown, dialect: Dialect) {
  return Object.entries(specifics ?? {}).every(([key, wanted]) => {
    const stated = (value as Record<string, unknown>)[key]
    return (
      stated === undefined ||
      JSON.stringify(stated) === JSON.stringify(wanted) ||
      isAddressOf(wanted, stated, dialect)
    )
  })
}

/** True for a static value with every requested property, or with a path of the requested feed. It is preferred to other fitting values. */
export function isMeantFor(value: unknown, specifics: unknown, dialect: Dialect) {
  const stated = value as Record<string, unknown>
  const isFeed = (endpoint: unknown) =>
    isAddressOf(String(endpoint).replace(/^[A-Z]+ /, ''), stated.path, dialect)
  return Object.entries(specifics ?? {}).every(
    ([key, wanted]) => key in stated || (key === 'feed' && isFeed(wanted)),
  )
}

/** True if a path of the target matches a path template of the document. */
function isAddressOf(wanted: unknown, stated: unknown, dialect: Dialect) {
  if (typeof wanted !== 'string' || !wanted.includes('{') || typeof stated !== 'string')
    return false
  return pathMatches(dialect.template(wanted), stated)
}

/** Throws {@link UsageError} for a static need that is unknown or breaks its schema. `at` returns its place: `a.yaml:7: `. */
export function checkStaticNeeds(
  config: Pick<Config, 'needs' | 'catalogue'>,
  at: Locate = () => '',
) {
  const catalogue = catalogueOf(config)
  for (const [name, values] of Object.entries(config.needs)) {
    catalogue.needOf(name, at(['needs', name]))
    for (const [index, value] of staticValues(values).entries()) {
      const problem = problemWith(name, value, catalogue)
      const place = at(['needs', name, ...(Array.isArray(values) ? [index] : [])])
      if (problem) throw new UsageError(`${place}needs.${name} ${problem}`)
    }
  }
}

/** The error of a value for a need, by its schema; undefined for a valid one. */
export function problemWith(
  name: string,
  given: unknown,
  catalogue: Catalogue,
): string | undefined {
  const validate = catalogue.validatorOf(`needs/${name}`)
  if (validate({ given })) return undefined
  const error = validate.errors?.[0]
  const where = error?.instancePath.replace(/^\/given/, '') || 'it'
  const lacking = error?.keyword === 'required' ? String(error.params.missingProperty) : ''
  const slip = Object.keys(given ?? {}).find((key) => didYouMean(key, [lacking]) !== '')
  const meant =
    lacking === '' || slip === undefined ? '' : ` (did you mean "${lacking}" instead of "${slip}"?)`
  const allowed =
    error?.keyword === 'enum' ? `: ${(error.params.allowedValues as string[]).join(', ')}` : ''
  return `does not match schemas/needs/${name}.schema.json: ${where} ${error?.message}${allowed}${meant}`
}

/** The requests for one change in a value of `version-request`: a request, a list of them, or `{ requests }`. Else undefined. */
export function declaredRequests(
  given: unknown,
  change: number | undefined,
): { requests: DeclaredRequest[] } | undefined {
  const requests = requestsFor(change, given)
  return requests.length === 0 ? undefined : { requests }
}

/** The declared requests for a change. `stated` is the change of the list that contains them, unless they state another. */
function requestsFor(
  wanted: number | undefined,
  given: unknown,
  stated = wanted,
): DeclaredRequest[] {
  if (Array.isArray(given)) return given.flatMap((one) => requestsFor(wanted, one, stated))
  if (typeof given !== 'object' || given === null) return []
  const { change = stated, ...declared } = given as DeclaredRequest & { change?: number }
  if ('requests' in declared) return requestsFor(wanted, declared.requests, change)
  return wanted === undefined || change === wanted ? [declared] : []
}
