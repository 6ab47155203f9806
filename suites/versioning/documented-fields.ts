import { readSchema, schemaNames } from '../../src/package/schemas.ts'

type Node = Record<string, any>

/**
 * True when a schema describes the member that the steps lead to. `resource` is written as in the endpoint table:
 * `thread`, or `thread[]` for a list. Resources without a schema describe nothing.
 */
export function isDocumented(resource: string, steps: readonly string[]): boolean {
  const name = resource.replace(/\[\]$/, '')
  if (!schemaNames().includes(name)) return false
  const root = readSchema(name)
  return leads(resource === name ? root : { items: root }, steps, root)
}

function leads(node: Node, steps: readonly string[], root: Node): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return true
  const target = node.$ref === undefined ? undefined : refer(String(node.$ref), root)
  if (target && leads(target.node, steps, target.root)) return true
  const branches: Node[] = [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]
  if (branches.some((branch) => leads(branch, steps, root))) return true
  const next = step === '*' ? node.items : node.properties?.[step]
  return typeof next === 'object' && next !== null && leads(next, rest, root)
}

/** What a reference names: a definition of the same schema, or another schema. */
function refer(reference: string, root: Node): { node: Node; root: Node } | undefined {
  const [file = '', fragment = ''] = reference.split('#')
  const base = file === '' ? root : schemaNames().includes(file) ? readSchema(file) : undefined
  const node = fragment
    .split('/')
    .slice(1)
    .reduce<any>((at, key) => at?.[key], base)
  return base && node ? { node, root: base } : undefined
}
