import type { RemovedField } from '../../src/spec/changes.ts'
import { latestVersion } from '../../src/spec/versions.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { NeedMap } from '../../src/suite/needs.ts'
import { show } from '../../src/text/format.ts'
import { earlyRemovalChecks } from './early-removals.ts'
import { type RemovalSubject, relevantObjects } from './removable-objects.ts'

/** The checks of a removed field: it is gone under the newer version, and under the older one it is not gone yet. */
export function removedFieldChecks<const Needs extends NeedMap>(subject: RemovalSubject<Needs>): Check[] {
  return [...lateRemovalChecks(subject), ...(subject.keptJudgedApart ? [] : earlyRemovalChecks(subject))]
}

/** One check a removed field, over every recorded answer of the endpoint under the newer version. */
function lateRemovalChecks<const Needs extends NeedMap>(subject: RemovalSubject<Needs>): Check[] {
  return subject.fields.map((removal) => {
    const { change, field } = removal
    const holder = holderOf(removal)
    return check({
      id: `${subject.id}.removed-${field.replaceAll('_', '-')}`,
      requirement: `versioning.change-${change}`,
      level: 'must',
      title: `omits ${field} from each ${holder}`,
      needs: subject.needs,
      endpoint: subject.endpoint,
      versions: [latestVersion],
      schedule: 'afterwards',
      ...(subject.writes ? { writes: true } : {}),
      run: async (t, needs) => {
        const objects = relevantObjects(t, subject, removal, await subject.read(t, needs))
        t.expectAll(objects, holder).satisfy(
          `no member ${field}`,
          (object) => !Object.hasOwn(object, field),
          (object) => `${field}: ${show(object[field])}`,
        )
      },
    })
  })
}

/** What the objects that have a removed field are called. Those known by their place are the top level of a body (readings V10). */
function holderOf({ in: kinds }: RemovedField): string {
  return typeof kinds === 'string' ? kinds : `${kinds.join(' or ')} object`
}
