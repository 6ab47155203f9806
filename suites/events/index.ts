import type { Suite } from '../../src/suite/check.ts'
import network from './network.ts'
import organization from './organization.ts'
import publicEvents from './public.ts'
import received from './received.ts'
import receivedPublic from './received-public.ts'
import repository from './repository.ts'
import user from './user.ts'
import userOrganization from './user-organization.ts'
import userPublic from './user-public.ts'

/** The suites of the nine event feeds, in the document's order. */
export const eventsSuites: readonly Suite[] = [
  publicEvents,
  network,
  organization,
  repository,
  user,
  userOrganization,
  userPublic,
  received,
  receivedPublic,
]
