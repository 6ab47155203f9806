import type { ErrorObject } from '../package/schemas.ts'
import { guess } from '../text/errors.ts'

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
  const quoted =
    value === null ? 'empty' : mayHoldSecret(path) ? '(not shown here)' : JSON.stringify(value)?.replace(/\/\/[^/@"]*@/g, '//…@')
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
  if (error.keyword === 'anyOf') {
    const share = typeof value === 'number' && value > 0 && value < 1 ? ` (did you mean ${Math.round(value * 100)}%?)` : ''
    return `${locate(path)}: ${name} is ${quoted}, which has no accepted form${share}${form}`
  }
  if (error.keyword === 'type') return `${locate(path)}: ${name} is ${quoted}: ${acceptedType(error, value, quoted)}${form}`
  return `${locate(path)}: ${name} is ${quoted}: ${error.message}${form}`
}

/** The types of JSON in the words of somebody who writes YAML. */
const typeWords: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}

/** What a value must be, and how it is likely meant: `5` as `"5"`, `yes` as `true`, one value as a list of one. */
function acceptedType({ params, parentSchema }: ErrorObject, value: unknown, quoted: string | undefined): string {
  const type = String(params.type)
  const accepted = `${typeWords[type] ?? type} is accepted`
  const isPlain = typeof value !== 'object' && quoted !== undefined && quoted.startsWith('(') === false
  if (!isPlain) return accepted
  if (type === 'array') return `${accepted}: [${String(value)}]`
  if (type === 'string') return `${accepted}: "${String(value)}"`
  if (type === 'boolean') return `${accepted} (did you mean ${yes.test(String(value))}?)`
  const isNumeric = (type === 'integer' || type === 'number') && typeof value === 'string' && /^\d+$/.test(value)
  if (isNumeric) return `${accepted}: ${value} without quotes`
  const [key] = Object.keys((parentSchema?.properties as object | undefined) ?? {})
  return type === 'object' && key !== undefined ? `${accepted}, such as { ${key}: … }` : accepted
}

const yes = /^(y|yes|on|1)$/i

/** What a text must look like, by an example of the schema where it has one; a regular expression is for programs. */
function acceptedForm({ message, schemaPath, parentSchema }: ErrorObject): string {
  const methods = /\^\(([A-Z|]+)\) /.exec(message ?? '')?.[1]
  if (methods) return `a method and a path are accepted, such as "GET /gists" (methods: ${methods.split('|').join(', ')})`
  if (message?.endsWith('"^/"')) return 'a path that begins with "/" is accepted'
  const example = (parentSchema?.examples as unknown[] | undefined)?.[0]
  const isExplained = typeof parentSchema?.description === 'string'
  return example === undefined
    ? isExplained
      ? 'this form is not accepted'
      : (message ?? `does not match ${schemaPath}`)
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
