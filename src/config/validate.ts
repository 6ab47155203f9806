import type { ErrorObject } from '../package/schemas.ts'
import { guess } from '../text/guess.ts'

export { validatorOf } from '../package/schemas.ts'

/** The first error of a validation as a sentence: where, the offending text, the accepted form, the likely slip. */
export function explainInvalid(
  errors: readonly ErrorObject[],
  root: unknown,
  locate: (path: readonly (string | number)[]) => string,
): string {
  // Where one of several forms is accepted, the errors of each form come first and say only what that one lacks.
  const error = errors.find(({ keyword }) => keyword === 'anyOf') ?? errors[0]
  if (!error) return 'the configuration is not valid'
  const path = pathOf(error.instancePath)
  const name = path.join('.') || 'the configuration'
  const value = path.reduce(memberOf, root)
  const quoted = mayHoldSecret(path) ? '(not shown here)' : JSON.stringify(value)?.replace(/\/\/[^/@"]*@/g, '//…@')
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty)
    const accepted = Object.keys((error.parentSchema?.properties as object | undefined) ?? {})
    return `${locate([...path, key])}: unknown key "${key}" in ${name}${guess(key, accepted)}; accepted: ${accepted.join(', ')}`
  }
  if (error.keyword === 'enum') {
    const accepted = (error.params.allowedValues as unknown[]).map(String)
    return `${locate(path)}: ${name} is ${quoted}${guess(String(value), accepted)}; accepted: ${accepted.join(', ')}`
  }
  if (error.keyword === 'required') return `${locate(path)}: ${name} is missing "${error.params.missingProperty}"`
  const form = typeof error.parentSchema?.description === 'string' ? ` (${error.parentSchema.description})` : ''
  if (error.keyword === 'format' && error.params.format === 'date')
    return `${locate(path)}: ${name} is ${quoted}: a date such as 2027-01-31 is accepted${form}`
  if (error.keyword === 'pattern') return `${locate(path)}: ${name} is ${quoted}: ${acceptedForm(error)}${form}`
  if (error.keyword === 'anyOf') return `${locate(path)}: ${name} is ${quoted}: must have an accepted form${form}`
  return `${locate(path)}: ${name} is ${quoted}: ${error.message}${form}`
}

/** What a text must look like, by an example of the schema where it has one; a regular expression is for programs. */
function acceptedForm({ message, schemaPath, parentSchema }: ErrorObject): string {
  const methods = /\^\(([A-Z|]+)\) /.exec(message ?? '')?.[1]
  if (methods) return `a method and a path are accepted, such as "GET /gists" (methods: ${methods.split('|').join(', ')})`
  if (message?.endsWith('"^/"')) return 'a path that begins with "/" is accepted'
  const example = (parentSchema?.examples as unknown[] | undefined)?.[0]
  return example === undefined
    ? (message ?? `does not match ${schemaPath}`)
    : `a text such as ${JSON.stringify(example)} is accepted`
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined
}

/** The members of a token that are no secret. */
const open = new Set(['role', 'kind', 'login', 'account', 'resourceOwner', 'scopes', 'permissions'])

function mayHoldSecret(path: readonly (string | number)[]): boolean {
  return path[0] === 'tokens' && !path.some((step) => open.has(String(step)))
}

/** The steps of a JSON pointer; array positions become numbers. */
function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')))
}
