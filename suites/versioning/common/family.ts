import { familyOf } from '../../../src/spec/change-endpoints.ts'
import type { RemovedField } from '../../../src/spec/changes.ts'
import type { Check } from '../../../src/suite/check.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { embeddingFamily, embeddingNeeds, readFamily, writeFamily } from './declared.ts'

/** A removed field on the addresses that a target declares: those it reads, and those that change something. */
export function familyChecks(operation: string, field: RemovedField): Check[] {
  const { change } = field
  const subject = { needs: embeddingNeeds, fields: [field] }
  return [
    ...removedFieldChecks({
      ...subject,
      id: `versioning.${operation}`,
      endpoint: familyOf(change),
      keptJudgedApart: true,
      read: (t, needs) => readFamily(t, embeddingFamily(t, needs), change),
    }),
    ...(['POST', 'PATCH'] as const).flatMap((method) =>
      removedFieldChecks({
        ...subject,
        id: `versioning.${operation}-${method.toLowerCase()}`,
        endpoint: familyOf(change, method),
        read: (t, needs) => writeFamily(t, embeddingFamily(t, needs), change, method),
        writes: true,
        // A POST would make everything twice.
        ...(method === 'POST' ? { keptJudgedApart: true } : {}),
      }),
    ),
  ]
}
