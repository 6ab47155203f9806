import { endpoints } from '../../src/spec/endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { accessChecks } from './access.ts'
import { aimAtAll, unreadAnew, unreadOf } from './marking-all.ts'
import { markingAllChecks } from './marking-all-checks.ts'

const id = 'notifications.mark-inbox'
const endpoint = endpoints.markNotificationsRead

/** An entitled request about nothing: no notification is as old. */
export const longAgo = { last_read_at: '2000-01-01T00:00:00Z' }

/** Marks a user's notifications read. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    ...markingAllChecks({ id, endpoint, aim: aimAtAll }),
    ...accessChecks({
      id,
      endpoint,
      of: 'inbox-user',
      resource: 'thread',
      needs: {},
      address: async () => ({ body: {} }),
      effect: async (t, _, entitled) => {
        const unread = await unreadOf(t, entitled)
        return { facts: unread.map(({ id }) => id), visible: unread.length > 0 }
      },
      anew: async (t, _, entitled) => unreadAnew(t, entitled),
      granted: { needs: {}, address: async () => ({ body: longAgo }) },
    }),
  ],
})
