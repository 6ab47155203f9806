import { anonymous, type Caller } from '../../src/http/caller.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import type { Permissions } from '../../src/spec/needs.ts'
import { type Check, check } from '../../src/suite/check.ts'
import { type Needing, type NeedMap, role, token } from '../../src/suite/needs.ts'
import { expectRefused, expectServed } from '../common/access.ts'
import { type Feed, open } from './feed.ts'

const events: Permissions = { organization: { events: 'read' } }

/** One caller of the dashboard feed, nobody where `who` is empty, and what must be answered. */
interface Visitor {
  readonly aspect: string
  readonly title: string
  readonly who: { readonly caller?: Needing<Caller> }
  readonly expects: MatrixCell['expects']
  /** The part of the heat map's cell that is the caller's. */
  readonly cell?: Pick<MatrixCell, 'kind' | 'access'>
}

const visitors: readonly Visitor[] = [
  { aspect: 'anonymous', title: 'rejects a request without a token', who: {}, expects: 'refused' },
  { aspect: 'other-user', title: 'rejects an unrelated user', who: { caller: role('outsider') }, expects: 'refused' },
  {
    aspect: 'other-member',
    title: 'rejects another member of the organisation',
    who: { caller: role('member') },
    expects: 'refused',
  },
  {
    aspect: 'other-owner',
    title: 'rejects an owner of the organisation who is not the user in the path',
    who: { caller: role('org-owner') },
    expects: 'refused',
  },
  {
    aspect: 'other-member-app',
    title: "rejects another member's app user token with the Events permission",
    who: { caller: token({ kind: 'app-user', of: 'member', permissions: events }) },
    expects: 'refused',
  },
  {
    aspect: 'app-user',
    title: "accepts the user's app user token with the Events permission",
    who: { caller: token({ kind: 'app-user', of: 'owner', permissions: events }) },
    expects: 'granted',
    cell: { kind: 'app-user', access: 'read' },
  },
  {
    aspect: 'app-user-bare',
    title: "rejects the user's app user token without the Events permission",
    who: { caller: token({ kind: 'app-user', of: 'owner', permissions: {}, only: true }) },
    expects: 'refused',
    cell: { kind: 'app-user', access: 'none' },
  },
  {
    aspect: 'fine-grained',
    title: "accepts the user's fine-grained token with the Events permission",
    who: { caller: token({ kind: 'fine-grained', of: 'owner', permissions: events }) },
    expects: 'granted',
    cell: { kind: 'fine-grained', access: 'read' },
  },
  {
    aspect: 'fine-grained-bare',
    title: "rejects the user's fine-grained token without the Events permission",
    who: { caller: token({ kind: 'fine-grained', of: 'owner', permissions: {}, only: true }) },
    expects: 'refused',
    cell: { kind: 'fine-grained', access: 'none' },
  },
  {
    aspect: 'app-installation',
    title: 'rejects an app installation token, which belongs to no user',
    who: { caller: token({ kind: 'app-installation', permissions: events }) },
    expects: 'refused',
    cell: { kind: 'app-installation', access: 'read' },
  },
]

/** The dashboard asks for two things at once: to be that user, and for apps the organisation permission Events (readings F18). */
export function dashboardAccessChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  return visitors.map(({ aspect, title, who, expects, cell }) =>
    check({
      id: `${feed.id}.${aspect}`,
      requirement: 'events.access.dashboard',
      level: 'must',
      title,
      ...(cell ? { matrix: { owner: 'organization', category: 'Events', ...cell, expects } } : {}),
      needs: feed.needs,
      also: who,
      run: async (t, needs, { caller = anonymous }) => {
        const entitled = open(t, feed, needs)
        const request = open(t, feed, needs, caller).request()
        if (expects === 'refused') return expectRefused(t, { request, entitled: entitled.request(), resource: 'event' })
        await entitled.page()
        t.expect(await expectServed(t, request, 200)).array()
      },
    }),
  )
}
