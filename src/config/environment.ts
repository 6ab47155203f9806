import { guess } from '../text/errors.ts'
import { type Locate, type Path, refuse } from './yaml-file.ts'

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** The names in `${NAME}`. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(variable)].map(([, name]) => name as string)
}

/** The variable that is the whole of a text: `NAME` for `${NAME}`. */
export function soleVariable(text: unknown): string | undefined {
  const [name] = typeof text === 'string' ? variablesIn(text) : []
  return text === `\${${name}}` ? name : undefined
}

/** A value with every `${NAME}` of its texts replaced from the environment. Throws `UsageError` for a variable that is not set. */
export function substitute(value: unknown, environment: NodeJS.ProcessEnv, locate: Locate, path: Path = []): unknown {
  const within = (member: unknown, step: string | number) => substitute(member, environment, locate, [...path, step])
  if (typeof value === 'string')
    return substituted(value, environment, (sentence) => refuse(locate, path, sentence), path.join('.'))
  if (Array.isArray(value)) return value.map(within)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, within(member, key)]))
}

function substituted(text: string, environment: NodeJS.ProcessEnv, fail: (sentence: string) => never, name: string): string {
  if (/\$\{(?![A-Za-z_][A-Za-z0-9_]*\})/.test(text))
    return fail(`${name} contains "\${" that names no variable; \${NAME} is accepted`)
  return text.replace(variable, (written, key: string) => {
    const others = Object.keys(environment).filter((other) => environment[other] && other.toUpperCase() === key.toUpperCase())
    const hint = guess(key, others)
    return environment[key] || fail(`the environment variable ${key} is not set${hint} (written as ${written} at ${name})`)
  })
}
