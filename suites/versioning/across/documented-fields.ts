import { kindWithin, membersOf, objectKinds } from '../../../src/spec/words/object-kinds.ts'

/** True when the schema of a resource (`thread`, or `thread[]` for a list) describes the member at the steps. */
export function isDocumented(resource: string, steps: readonly string[]): boolean {
  const isList = resource.endsWith('[]')
  let kind: string | undefined = resource.replace('[]', '')
  if (!objectKinds.includes(kind) || (isList && (steps[0] ?? '*') !== '*')) return false
  for (const step of steps.filter((each) => each !== '*')) {
    if (kind === undefined || !membersOf(kind).includes(step)) return false
    kind = kindWithin(kind, step, undefined)
  }
  return true
}
