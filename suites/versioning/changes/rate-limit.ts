import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { removedFields } from '../../../src/spec/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { type Resolved, reader } from '../../../src/suite/needs.ts'
import { topLevelOf } from '../../common/removable-objects.ts'
import { ofChange } from '../common/change.ts'
import { topLevelFieldChecks } from '../common/kept-fields.ts'
import { readByAnybody } from '../common/offered.ts'

const endpoint = changeEndpoints.rateLimit
const needs = { reader: reader() }
const { both, underLatest } = ofChange(1, { id: 'versioning.rate-limit', endpoint, needs })
const read = (t: CheckContext, { reader: as }: Resolved<typeof needs>) => readByAnybody(t, { endpoint, as })

/** Change 1: `rate` goes; `resources.core` is the same quota. */
export default both.suite([
  ...topLevelFieldChecks(both, removedFields(1), read),
  underLatest.check('resources-core', 'includes the quota as resources.core', async (t, resolved) => {
    t.expectAll(topLevelOf(await read(t, resolved)), 'quota').satisfy(
      'an object resources.core',
      ({ resources }) => isObject(resources) && isObject(resources.core),
    )
  }),
])
