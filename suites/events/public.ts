import { endpoints } from '../../src/spec/endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { reader } from '../../src/suite/needs.ts'
import { feedChecks } from './every-feed.ts'

export default suite({
  area: 'events',
  endpoint: endpoints.publicEvents,
  checks: [
    ...feedChecks({
      id: 'events.public',
      endpoint: endpoints.publicEvents,
      needs: { reader: reader() },
      at: ({ reader }) => ({ as: reader }),
    }),
  ],
})
