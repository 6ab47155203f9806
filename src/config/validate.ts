import type { ErrorObject } from '../package/schemas.ts'
import { atPointer, stepsOf } from '../text/data.ts'
import { didYouMean } from '../text/errors.ts'
import { withoutCredentials } from './addresses.ts'
import { type Locate, refuse } from './yaml-file.ts'

/** Throws `UsageError` for a failed validation: the place, the offending text, the accepted form and the likely slip. */
export function refuseInvalid(errors: readonly ErrorObject[], root: unknown, locate: Locate) {
  // The errors of each form precede the error of the choice, and name the defect of one form only.
  const error = errors.find(({ keyword }) => keyword === 'anyOf') ?? errors[0]
  if (!error) throw new Error('a validation without an error was reported')
  const path = stepsOf(error.instancePath).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const name = path.join('.') || 'the configuration'
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty)
    const accepted = Object.keys((error.parentSchema?.properties as object | undefined) ?? {})
    const hint = didYouMean(key, accepted)
    refuse(
      locate,
      [...path, key],
      `unknown key "${key}" in ${name}${hint}; accepted: ${accepted.join(', ')}`,
    )
  }
  if (error.keyword === 'required')
    refuse(locate, path, `${name} is missing "${error.params.missingProperty}"`)
  const value = atPointer(root, error.instancePath)
  const isHidden = path[0] === 'tokens' && !path.some((step) => publicMembers.has(String(step)))
  const quoted =
    value === null
      ? 'empty'
      : isHidden
        ? '(not shown here)'
        : withoutCredentials(JSON.stringify(value))
  refuse(locate, path, `${name} is ${quoted}${problemOf(error, value, isHidden)}`)
}

/** The problem with a value and the accepted form, which follow the quoted value in the sentence. */
function problemOf(error: ErrorObject, value: unknown, isHidden: boolean) {
  const { keyword, params, message, parentSchema } = error
  const form = parentSchema?.description === undefined ? '' : ` (${parentSchema.description})`
  if (keyword === 'enum') {
    const accepted = (params.allowedValues as unknown[]).map(String)
    return `${didYouMean(String(value), accepted)}; accepted: ${accepted.join(', ')}${form}`
  }
  if (keyword === 'anyOf') {
    const isShare = typeof value === 'number' && value > 0 && value < 1
    return `, which has no accepted form${isShare ? ` (did you mean ${Math.round(value * 100)}%?)` : ''}${form}`
  }
  if (keyword === 'type') return `: ${acceptedType(error, value, isHidden)}${form}`
  if (keyword === 'pattern') return `: ${acceptedPattern(error)}${form}`
  return `: ${params.format === 'date' ? 'a date such as 2027-01-31 is accepted' : message}${form}`
}

const typeWords: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}

/** The accepted type, and the likely meaning of the value: `5` as `"5"`, `yes` as `true`, one value as a list of one. */
function acceptedType({ params, parentSchema }: ErrorObject, value: unknown, isHidden: boolean) {
  const type = String(params.type)
  const accepted = `${typeWords[type] ?? type} is accepted`
  if (isHidden || typeof value === 'object') return accepted
  if (type === 'array') return `${accepted}: [${value}]`
  if (type === 'string') return `${accepted}: "${value}"`
  if (type === 'boolean')
    return `${accepted} (did you mean ${/^(y|yes|on|1)$/i.test(String(value))}?)`
  if (type !== 'object')
    return /^\d+$/.test(String(value)) ? `${accepted}: ${value} without quotes` : accepted
  const [key] = Object.keys((parentSchema?.properties as object | undefined) ?? {})
  return key === undefined ? accepted : `${accepted}, such as { ${key}: … }`
}

/** The accepted text by an example of the schema, because a regular expression is for programs. */
function acceptedPattern({ params, message, parentSchema }: ErrorObject) {
  const methods = /^\^\(([A-Z|]+)\) /.exec(params.pattern)?.[1]
  if (methods)
    return `a method and a path are accepted, such as "GET /gists" (methods: ${methods.replaceAll('|', ', ')})`
  // `^/`, alone or with the characters that a path may have.
  if (/^\^\/($|\(\?!\/\|)/.test(params.pattern)) return 'a path that begins with "/" is accepted'
  const [example] = (parentSchema?.examples as unknown[] | undefined) ?? []
  if (example !== undefined) return `a text such as ${JSON.stringify(example)} is accepted`
  return parentSchema?.description === undefined ? String(message) : 'this form is not accepted'
}

const publicMembers = new Set([
  'role',
  'kind',
  'login',
  'account',
  'resourceOwner',
  'scopes',
  'permissions',
])
