import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { TokenKind } from '../../src/spec/needs.ts'
import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type NeedMap, type Resolved, role, token } from '../../src/suite/needs.ts'
import { expectGranted } from '../common/access.ts'
import { type Feed, open } from './feed.ts'
import { expectSome } from './known-events.ts'

const kinds: readonly TokenKind[] = ['app-user', 'app-installation', 'fine-grained']

/** A feed that every caller may read: expected without a token, stated for tokens without any permission (readings C12). */
export function openFeedChecks<Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const free = feed.with({ requirement: 'events.access.none' })
  const outsider = role('outsider')
  const scopeless = token({ kind: 'classic', scopes: [] })
  return [
    anonymousCheck(feed, 'should'),
    free.check('outsider-served', 'includes public events for another user', { also: { outsider } }, (t, needs, also) =>
      expectPublicEvents(t, feed, needs, also.outsider),
    ),
    free.check('bare-classic', 'accepts a classic token without any scope', { also: { scopeless } }, (t, needs, also) =>
      expectPublicEvents(t, feed, needs, also.scopeless),
    ),
    ...kinds.map((kind) =>
      free.check(
        `bare-${kind}`,
        `accepts a token of kind ${kind} without any permission`,
        {
          also: { bare: token({ kind, permissions: {}, only: true }) },
          matrix: { owner: 'feeds', category: 'no permission', kind, access: 'none', expects: 'granted' },
        },
        (t, needs, { bare }) => expectPublicEvents(t, feed, needs, bare),
      ),
    ),
  ]
}

/** A feed that the document serves without authentication; the level says whether it states so. */
export function anonymousCheck<Needs extends NeedMap>(feed: Feed<Needs>, level: 'must' | 'should'): Check {
  const requirement = level === 'must' ? 'events.access.repository-anonymous' : 'events.access.none'
  return feed.check('anonymous', 'accepts a request without a token', { requirement, level }, async (t, needs) => {
    const own = await open(t, feed, needs).page()
    const answer = await t.read(open(t, feed, needs, anonymous).request())
    t.expect(answer).status(200).array()
    expectSome(t, answer, own)
  })
}

/** The caller receives the public events. */
async function expectPublicEvents<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
  caller: Caller,
): Promise<void> {
  const own = await open(t, feed, needs).page()
  const answer = await expectGranted(t, open(t, feed, needs, caller).request(), { exactly: 200 })
  t.expect(answer).array()
  expectSome(t, answer, own)
}
