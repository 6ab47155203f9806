import { readData } from '../../package/data-file.ts'
import { readSchema } from '../../package/schemas.ts'
import { endpointLabel, endpoints } from '../endpoints.ts'

const words: Readonly<Record<'payloads' | 'requestKinds', Readonly<Record<string, string>>>> =
  readData('src/spec/words/words.yaml')

/** The kinds of the request bodies that the document describes as objects, by their endpoint. */
export const { requestKinds } = words

/** The kinds of object that the document describes, each with its members. A member that is an object has its kind. */
const members: ReadonlyMap<string, ReadonlyMap<string, string | undefined>> = collectKinds()

/** The names of the kinds: `event`, `event-actor`, `thread`, … */
export const objectKinds: readonly string[] = [...members.keys()].sort()

/** The members of a kind of object, in the order of its schema. */
export function membersOf(kind: string): readonly string[] {
  return [...(members.get(kind)?.keys() ?? [])]
}

/** The kind of an object's member, or of the member's items. The `type` of an event decides the kind of its payload. */
export function kindWithin(kind: string | undefined, member: string, type: unknown) {
  if (kind === undefined) return undefined
  if (kind === 'event' && member === 'payload') return words.payloads[String(type)] ?? 'payload'
  return members.get(kind)?.get(member)
}

/** The kind of the objects in the responses of an endpoint (`GET /events`). */
export const responseKinds: ReadonlyMap<string, string> = new Map(
  Object.values(endpoints).flatMap((endpoint) =>
    Object.values(endpoint.success).flatMap((schema): [string, string][] =>
      schema === null ? [] : [[endpointLabel(endpoint), schema.replace(/\[\]$/, '')]],
    ),
  ),
)

function collectKinds() {
  const roots = Object.values(endpoints).flatMap(
    ({ success }) => Object.values(success) as (string | null)[],
  )
  const waiting = [...roots.flatMap((schema) => schema?.replace(/\[\]$/, '') ?? []), 'payload']
  waiting.push(...Object.values(words.payloads), ...Object.values(requestKinds))
  const found = new Map<string, Map<string, string | undefined>>()
  for (const kind of waiting) {
    if (found.has(kind)) continue
    const properties = Object.entries((readSchema(kind).properties ?? {}) as Record<string, object>)
    const own = new Map(properties.map(([name, schema]) => [name, referenceIn(schema)]))
    found.set(kind, own)
    waiting.push(...[...own.values()].filter((name) => name !== undefined))
  }
  return found
}

/** The kind that a property, its items or one of its alternatives refers to; texts such as timestamps are no kind of object. */
function referenceIn(schema: object) {
  const found = /"\$ref":"([a-z-]+)"/.exec(JSON.stringify(schema))?.[1]
  return found === 'timestamp' ? undefined : found
}
