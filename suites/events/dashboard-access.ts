import { anonymous, type Caller } from '../../src/http/caller.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import type { Permissions } from '../../src/spec/needs.ts'
import { type Check, check } from '../../src/suite/check.ts'
import { type Needing, type NeedMap, type Resolved, role, token } from '../../src/suite/needs.ts'
import { expectRefused, expectServed } from '../common/access.ts'
import { type Feed, open } from './feed.ts'

const events: Permissions = { organization: { events: 'read' } }

/** The dashboard asks for two things at once: to be that user, and for apps the organisation permission Events (readings F18). */
export function dashboardAccessChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const verdict = (
    aspect: string,
    title: string,
    who: Needing<Caller> | undefined,
    expected: 'granted' | 'refused',
    cell?: Pick<MatrixCell, 'kind' | 'access'>,
  ) =>
    check({
      id: `${feed.id}.${aspect}`,
      requirement: 'events.access.dashboard',
      level: 'must',
      title,
      ...(expected === 'refused' ? { conclusive: true } : {}),
      ...(cell ? { matrix: { owner: 'organization', category: 'Events', ...cell, expects: expected } } : {}),
      needs: { ...feed.needs, ...(who ? { who } : {}) } as NeedMap,
      run: async (t, given) => {
        const caller = (given as { who?: Caller }).who ?? anonymous
        const entitled = open(t, feed, given as Resolved<Needs>)
        const request = open(t, feed, given as Resolved<Needs>, caller).request()
        if (expected === 'refused') return expectRefused(t, { request, entitled: entitled.request(), resource: 'event' })
        await entitled.page()
        t.expect(await expectServed(t, request, 200)).array()
      },
    })
  return [
    verdict('anonymous', 'rejects a request without a token', undefined, 'refused'),
    verdict('other-user', 'rejects an unrelated user', role('outsider'), 'refused'),
    verdict('other-member', 'rejects another member of the organisation', role('member'), 'refused'),
    verdict('other-owner', 'rejects an owner of the organisation who is not the user in the path', role('org-owner'), 'refused'),
    verdict(
      'other-member-app',
      "rejects another member's app user token with the Events permission",
      token({ kind: 'app-user', of: 'member', permissions: events }),
      'refused',
    ),
    verdict(
      'app-user',
      "accepts the user's app user token with the Events permission",
      token({ kind: 'app-user', of: 'owner', permissions: events }),
      'granted',
      { kind: 'app-user', access: 'read' },
    ),
    verdict(
      'app-user-bare',
      "rejects the user's app user token without the Events permission",
      token({ kind: 'app-user', of: 'owner', permissions: {}, only: true }),
      'refused',
      { kind: 'app-user', access: 'none' },
    ),
    verdict(
      'fine-grained',
      "accepts the user's fine-grained token with the Events permission",
      token({ kind: 'fine-grained', of: 'owner', permissions: events }),
      'granted',
      { kind: 'fine-grained', access: 'read' },
    ),
    verdict(
      'fine-grained-bare',
      "rejects the user's fine-grained token without the Events permission",
      token({ kind: 'fine-grained', of: 'owner', permissions: {}, only: true }),
      'refused',
      { kind: 'fine-grained', access: 'none' },
    ),
    verdict(
      'app-installation',
      'rejects an app installation token, which belongs to no user',
      token({ kind: 'app-installation', permissions: events }),
      'refused',
      { kind: 'app-installation', access: 'read' },
    ),
  ]
}
