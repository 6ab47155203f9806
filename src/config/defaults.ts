import { readSchema } from '../package/schemas.ts'
import type { Config } from './config.ts'

interface Schema {
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The default values of the configuration, from its schema. */
export const defaults = defaultOf(readSchema('config')) as Config

function defaultOf({ default: value, properties = {} }: Schema): unknown {
  const members = Object.entries(properties).map(([name, schema]) => [name, defaultOf(schema)] as const)
  const stated = members.filter(([, member]) => member !== undefined)
  return stated.length === 0 ? value : Object.fromEntries(stated)
}
