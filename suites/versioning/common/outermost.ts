import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'

/** The outermost objects of a located value that fit, itself included. `listed`: the object is an item of a list. */
export function outermost(of: Located, fits: (object: JsonObject, listed: boolean) => boolean): Located<JsonObject>[] {
  return [...search(of, fits, false)]
}

type Fits = Parameters<typeof outermost>[1]

function* search(of: Located, fits: Fits, listed: boolean): Generator<Located<JsonObject>> {
  const { value, exchange, pointer } = of
  if (isObject(value) && fits(value, listed)) yield { value, exchange, pointer }
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const below = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      yield* search({ value: member, exchange, pointer: below }, fits, Array.isArray(value))
    }
  }
}
