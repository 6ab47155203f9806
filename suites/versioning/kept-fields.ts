import type { Endpoint } from '../../src/spec/endpoint.ts'
import type { Level } from '../../src/spec/level.ts'
import { firstVersion } from '../../src/spec/versions.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { JsonObject, Located } from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'

/** A field that 2026-03-10 removes and 2022-11-28 still has (readings V2). */
export interface KeptField<Needs extends NeedMap> {
  readonly id: string
  readonly endpoint: Endpoint
  readonly needs: Needs
  readonly change: number
  readonly field: string
  readonly level: Level
  /** What holds it, for the reader. */
  readonly of: string
  /** The objects that must hold it. */
  readonly objects: (t: CheckContext, needs: Resolved<Needs>) => Promise<readonly Located<JsonObject>[]>
}

/** Under 2022-11-28 a field that only the newer version removes is still there. */
export function keptFieldCheck<const Needs extends NeedMap>(kept: KeptField<Needs>): Check {
  const { id, endpoint, needs, change, field, level, of, objects } = kept
  return check({
    id: `${id}.kept-${field.replaceAll('_', '-')}`,
    requirement: `versioning.change-${change}`,
    level,
    title: `every ${of} still holds ${field}`,
    needs,
    endpoint,
    versions: [firstVersion],
    run: async (t, resolved) => {
      t.expectAll(await objects(t, resolved), of).satisfy(
        `the member ${field}`,
        (object) => Object.hasOwn(object, field),
        (object) => `only ${Object.keys(object).join(', ')}`,
      )
    },
  })
}
