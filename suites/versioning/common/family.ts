import { familyOf } from '../../../src/spec/change-endpoints.ts'
import type { RemovedField } from '../../../src/spec/changes.ts'
import { type Check, operation } from '../../../src/suite/check.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { embeddingFamily, embeddingNeeds, readFamily, writeFamily } from './declared.ts'

/** A removed field on the declared addresses of a target: those that are read, and those that are written. */
export function familyChecks(name: string, field: RemovedField): Check[] {
  const { change } = field
  const family = operation({
    id: `versioning.${name}`,
    endpoint: familyOf(change),
    needs: embeddingNeeds,
    level: 'must',
  })
  return [
    ...removedFieldChecks(family, {
      fields: [field],
      keptJudgedApart: true,
      read: (t, needs) => readFamily(t, embeddingFamily(t, needs), change),
    }),
    ...(['POST', 'PATCH'] as const).flatMap((method) =>
      removedFieldChecks(
        family.with({ id: `versioning.${name}-${method.toLowerCase()}`, endpoint: familyOf(change, method), writes: true }),
        {
          fields: [field],
          read: (t, needs) => writeFamily(t, embeddingFamily(t, needs), change, method),
          // A second POST would make each object twice.
          ...(method === 'POST' ? { keptJudgedApart: true } : {}),
        },
      ),
    ),
  ]
}
