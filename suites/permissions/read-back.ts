import type { Exchange } from '../../src/http/exchange/exchange.ts'

/** Where two readings of one address differ; `""` stands for the answer as a whole. */
export function differences(a: Exchange, b: Exchange, pointer = ''): Set<string> {
  if (a.status !== b.status) return new Set([''])
  return new Set(differing(valueAt(a.json, pointer), valueAt(b.json, pointer), pointer))
}

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((at, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined
  }, value)
}

function differing(a: unknown, b: unknown, at: string): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  if (!isPlainObject(a) || !isPlainObject(b)) return [at]
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].flatMap((name) => differing(a[name], b[name], `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`))
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
