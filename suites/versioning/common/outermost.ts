import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { escapeStep } from '../../../src/text/data.ts'

type Fits = (object: JsonObject, listed: boolean) => boolean

/** The outermost objects of a located value that fit, itself included. `listed`: the object is an item of a list. */
export function outermost({ value, exchange, pointer }: Located, fits: Fits, listed = false): Located<JsonObject>[] {
  if (isObject(value) && fits(value, listed)) return [{ value, exchange, pointer }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    outermost({ value: member, exchange, pointer: `${pointer}/${escapeStep(key)}` }, fits, Array.isArray(value)),
  )
}
