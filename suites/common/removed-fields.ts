import type { RemovedField } from '../../src/spec/changes.ts'
import { latestVersion } from '../../src/spec/versions.ts'
import type { Check, Operation } from '../../src/suite/check.ts'
import type { NeedMap } from '../../src/suite/needs.ts'
import { show } from '../../src/text/format.ts'
import { earlyRemovalChecks } from './early-removals.ts'
import { type RemovalSubject, relevantObjects } from './removable-objects.ts'

/** The checks of removed fields: the newer version omits them, and the older version does not omit them yet. */
export function removedFieldChecks<Needs extends NeedMap>(operation: Operation<Needs>, subject: RemovalSubject<Needs>): Check[] {
  return [...lateRemovalChecks(operation, subject), ...(subject.keptJudgedApart ? [] : earlyRemovalChecks(operation, subject))]
}

/** One check for each removed field, over every recorded answer of the endpoint under the newer version. */
function lateRemovalChecks<Needs extends NeedMap>(operation: Operation<Needs>, subject: RemovalSubject<Needs>): Check[] {
  const recorded = operation.with({ level: 'must', versions: [latestVersion], schedule: 'afterwards' })
  return subject.fields.map((removal) => {
    const { change, field } = removal
    const holder = holderOf(removal)
    const title = `omits ${field} from each ${holder}`
    const requirement = `versioning.change-${change}`
    return recorded.check(`removed-${field.replaceAll('_', '-')}`, title, requirement, async (t, resolved) => {
      const objects = relevantObjects(t, { ...subject, ...operation }, removal, await subject.read(t, resolved))
      t.expectAll(objects, holder).satisfy(
        `no member ${field}`,
        (object) => !Object.hasOwn(object, field),
        (object) => `${field}: ${show(object[field])}`,
      )
    })
  })
}

/** The name of the objects that have a removed field. Those known by their place are the top level of a body (readings V10). */
function holderOf({ in: kinds }: RemovedField): string {
  return typeof kinds === 'string' ? kinds : `${kinds.join(' or ')} object`
}
