/** The value at a JSON pointer (RFC 6901), or undefined if there is none. */
export function atPointer(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined,
    value,
  )
}

/** The member names and positions of a JSON pointer, unescaped. */
export function stepsOf(pointer: string) {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A member name as a JSON pointer writes it. */
export function escapeStep(name: string) {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Items by a key, in the order in which the keys first occur. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) remembered(groups, keyOf(item), () => [] as Item[]).push(item)
  return groups
}

/** The sum of a number of each item. */
export function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number) {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}

/** The value of a key in a map or a weak map. A missing value is made and stored first. */
export function remembered<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

/** The members of an object that are not undefined. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, member]) => member !== undefined),
  ) as Defined<Members>
}

type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name]
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >
}
