import { readSchema, schemaNames } from '../../../src/package/schemas.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'

/** True when a schema describes the member at the steps. `resource` is written as in the endpoint table: `thread`, or `thread[]` for a list. */
export function isDocumented(resource: string, steps: readonly string[]): boolean {
  const name = resource.replace(/\[\]$/, '')
  if (!schemaNames().includes(name)) return false
  const root: JsonObject = readSchema(name)
  return leads(resource === name ? root : { items: root }, steps, root)
}

function leads(node: JsonObject, steps: readonly string[], root: JsonObject): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return true
  const target = node.$ref === undefined ? undefined : refer(String(node.$ref), root)
  if (target && leads(target.node, steps, target.root)) return true
  const branches = [node.allOf, node.anyOf, node.oneOf].flat().filter(isObject)
  if (branches.some((branch) => leads(branch, steps, root))) return true
  const next = step === '*' ? node.items : memberOf(node.properties, step)
  return isObject(next) && leads(next, rest, root)
}

/** The target of a reference: a definition of the same schema, or another schema. */
function refer(reference: string, root: JsonObject): { node: JsonObject; root: JsonObject } | undefined {
  const [file = '', fragment = ''] = reference.split('#')
  const base: JsonObject | undefined = file === '' ? root : schemaNames().includes(file) ? readSchema(file) : undefined
  const node = fragment.split('/').slice(1).reduce<unknown>(memberOf, base)
  return base && isObject(node) ? { node, root: base } : undefined
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}
