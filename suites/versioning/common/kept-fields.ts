import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { familyOf, type RemovedField } from '../../../src/spec/changes/changes.ts'
import { firstVersion } from '../../../src/spec/versions.ts'
import { type Check, type Operation, operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../../src/suite/needs.ts'
import { removedFieldChecks, topLevelOf } from '../../common/removed-fields.ts'
import { readByAnybody } from './change.ts'
import { embeddingFamily, embeddingNeeds, readFamily, writeFamily } from './declared.ts'

/** Fields that the newer version removes and the older version still has (readings V2). */
export interface KeptFields<Needs extends NeedMap> {
  readonly fields: readonly RemovedField[]
  /** The objects that must have the fields. */
  readonly objects: (t: CheckContext, needs: Resolved<Needs>) => Promise<readonly Located<JsonObject>[]>
}

/** One check for each field that the older version must or should have, unless its early absence is open. */
export function keptFieldChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  { fields, objects }: KeptFields<Needs>,
): Check[] {
  return fields.flatMap(({ change, field, in: kinds, early }) => {
    if (early === 'open') return []
    const holder = typeof kinds === 'string' ? kinds : kinds.join(' or ')
    const own = { requirement: `versioning.change-${change}`, level: early, versions: [firstVersion] }
    return operation.check(`kept-${field.replaceAll('_', '-')}`, `keeps ${field} in each ${holder}`, own, async (t, needs) => {
      t.expectAll(await objects(t, needs), holder).satisfy(
        `the member ${field}`,
        (object) => Object.hasOwn(object, field),
        (object) => `only ${Object.keys(object).join(', ')}`,
      )
    })
  })
}

/** The removed fields of an endpoint whose body is the object: omitted by the newer version, kept by the older one. */
export function topLevelFieldChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  fields: readonly RemovedField[],
  read: (t: CheckContext, needs: Resolved<Needs>) => Promise<Exchange>,
): Check[] {
  return [
    ...removedFieldChecks(operation, { fields, read }),
    ...keptFieldChecks(operation, { fields, objects: async (t, needs) => topLevelOf(await read(t, needs)) }),
  ]
}

/** A removed field on the declared addresses of a target: those that are read, and those that are written. */
export function familyChecks(name: string, field: RemovedField): Check[] {
  const { change } = field
  const family = operation({ id: `versioning.${name}`, endpoint: familyOf(change), needs: embeddingNeeds, level: 'must' })
  return [
    ...removedFieldChecks(family, {
      fields: [field],
      keptJudgedApart: true,
      read: (t, needs) => readFamily(t, embeddingFamily(t, needs), change, (spec) => readByAnybody(t, spec)),
    }),
    ...(['POST', 'PATCH'] as const).flatMap((method) =>
      removedFieldChecks(
        family.with({ id: `versioning.${name}-${method.toLowerCase()}`, endpoint: familyOf(change, method), writes: true }),
        {
          fields: [field],
          read: (t, needs) => writeFamily(t, embeddingFamily(t, needs), change, method),
          // A second POST would create each object twice.
          ...(method === 'POST' ? { keptJudgedApart: true } : {}),
        },
      ),
    ),
  ]
}
