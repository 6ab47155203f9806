import type { RemovedField } from '../../../src/spec/changes.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { firstVersion } from '../../../src/spec/versions.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../../src/suite/needs.ts'

/** Fields that the newer version removes and the older version still has (readings V2). */
export interface KeptFields<Needs extends NeedMap> {
  /** The `area.operation` that the checks' ids begin with. */
  readonly id: string
  readonly endpoint: Endpoint
  readonly needs: Needs
  readonly fields: readonly RemovedField[]
  /** Getting the objects sends something else than GET. */
  readonly writes?: boolean
  /** The objects that must have the fields. */
  readonly objects: (t: CheckContext, needs: Resolved<Needs>) => Promise<readonly Located<JsonObject>[]>
}

/** One check a field that the older version must or should have; none for a field whose early absence is not judged. */
export function keptFieldChecks<const Needs extends NeedMap>(kept: KeptFields<Needs>): Check[] {
  const { id, endpoint, needs, fields, objects, writes = false } = kept
  return fields.flatMap(({ change, field, in: kinds, early }) => {
    if (early === 'open') return []
    const holder = typeof kinds === 'string' ? kinds : kinds.join(' or ')
    return check({
      id: `${id}.kept-${field.replaceAll('_', '-')}`,
      requirement: `versioning.change-${change}`,
      level: early,
      title: `keeps ${field} in each ${holder}`,
      needs,
      endpoint,
      versions: [firstVersion],
      ...(writes ? { writes } : {}),
      run: async (t, resolved) => {
        t.expectAll(await objects(t, resolved), holder).satisfy(
          `the member ${field}`,
          (object) => Object.hasOwn(object, field),
          (object) => `only ${Object.keys(object).join(', ')}`,
        )
      },
    })
  })
}
