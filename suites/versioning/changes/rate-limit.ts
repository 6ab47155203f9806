import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { removedFields } from '../../../src/spec/changes.ts'
import { latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { type Resolved, reader } from '../../../src/suite/needs.ts'
import { topLevelOf } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'
import { readByAnybody } from '../common/offered.ts'

const endpoint = changeEndpoints.rateLimit
const id = 'versioning.rate-limit'
const needs = { reader: reader() }
const fields = removedFields(1)
const read = (t: CheckContext, { reader }: Resolved<typeof needs>) => readByAnybody(t, { endpoint, as: reader })

/** Change 1: `rate` goes, `resources.core` says the same. */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    ...removedFieldChecks({ id, endpoint, needs, fields, read }),
    check({
      id: `${id}.resources-core`,
      requirement: 'versioning.change-1',
      level: 'must',
      title: 'includes the quota as resources.core',
      needs,
      versions: [latestVersion],
      run: async (t, resolved) => {
        t.expectAll(topLevelOf(await read(t, resolved)), 'quota').satisfy(
          'an object resources.core',
          ({ resources }) => isObject(resources) && isObject(resources.core),
        )
      },
    }),
    ...keptFieldChecks({
      id,
      endpoint,
      needs,
      fields,
      objects: async (t, resolved) => topLevelOf(await read(t, resolved)),
    }),
  ],
})
