import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { isRedirect, redirectTarget } from '../../src/http/exchange/redirect.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing } from '../../src/suite/listing.ts'
import { type NeedMap, need, type Resolved, reader } from '../../src/suite/needs.ts'
import { unknownName } from '../common/names.ts'
import { type Feed, open, openAt } from './feed.ts'
import { renamed } from './names.ts'

const moved = { former: need('renamed-repository'), reader: reader() }

/** Networks of repositories that do not exist or have moved (document: Endpoints, Event feeds). */
export function networkChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  return [
    check({
      id: 'events.network.missing',
      requirement: 'events.network.not-found',
      level: 'must',
      title: 'rejects a repository that does not exist',
      needs: feed.needs,
      run: async (t, needs) => {
        const answer = await missingNetwork(t, feed, needs)
        if (answer.status >= 400 && !answer.broken) return t.examined(1)
        t.deviation({ expected: '404', actual: String(answer.status), exchanges: [answer] })
      },
    }),
    check({
      id: 'events.network.missing-exact',
      requirement: 'events.network.not-found',
      level: 'should',
      title: 'returns 404 for a repository that does not exist',
      needs: feed.needs,
      run: async (t, needs) => {
        const answer = await missingNetwork(t, feed, needs)
        if (answer.status < 400 || answer.status >= 500)
          t.untested(`the response was ${answer.status}, which another check judges`)
        t.expect(answer).status(404)
      },
    }),
    check({
      id: 'events.network.moved',
      requirement: 'events.network.moved',
      level: 'must',
      title: 'returns 301 or 200 for the former address of a moved repository',
      needs: moved,
      run: async (t, { former, reader }) => {
        const { owner, repo } = former
        await tellsNetworksApart(t, feed, former, reader)
        const answer = await t.read({ endpoint: feed.endpoint, params: { owner, repo }, as: reader, direct: true })
        if (answer.refused) t.untested(`the former name returns ${answer.status}, which another check judges`)
        t.expect(answer).status(301, 200)
      },
    }),
    check({
      id: 'events.network.moved-found',
      requirement: 'events.network.moved',
      level: 'should',
      title: 'returns no rejection for the former address of a moved repository',
      needs: moved,
      run: async (t, { former, reader }) => {
        const { owner, repo } = former
        await tellsNetworksApart(t, feed, former, reader)
        const answer = await t.read({ endpoint: feed.endpoint, params: { owner, repo }, as: reader, direct: true })
        if (answer.refused) t.deviation({ expected: '301 or 200', actual: String(answer.status), exchanges: [answer] })
        t.examined(1)
      },
    }),
    check({
      id: 'events.network.moved-location',
      requirement: 'events.network.moved',
      level: 'should',
      title: 'redirects the former address of a moved repository to its current feed',
      needs: moved,
      run: async (t, { former, reader }) => leadsOn(t, feed, former, reader),
    }),
  ]
}

/** The control: the present name has a feed, and a name that does not exist has none (readings G15). */
async function tellsNetworksApart<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  { owner, newOwner, newRepo }: Moved,
  as: Caller,
): Promise<void> {
  await openAt(t, feed, { params: { owner: newOwner, repo: newRepo }, as }).page()
  const unknown = await t.read({ endpoint: feed.endpoint, params: { owner, repo: unknownName }, as })
  if (unknown.ok) t.untested('a name that does not exist is served as well')
}

async function missingNetwork<Needs extends NeedMap>(t: CheckContext, feed: Feed<Needs>, needs: Resolved<Needs>) {
  await open(t, feed, needs).page()
  const address = renamed(feed.at(needs), 'repo', () => unknownName)
  return t.read(openAt(t, feed, address).request())
}

async function leadsOn<Needs extends NeedMap>(t: CheckContext, feed: Feed<Needs>, former: Moved, as: Caller): Promise<void> {
  const request = openAt(t, feed, { params: { owner: former.owner, repo: former.repo }, as }).request()
  const answer = await t.read({ ...request, direct: true })
  if (!isRedirect(answer))
    t.untested(answer.refused ? 'the former name is rejected' : 'the former name is served without a redirect')
  const target = await t.read(request)
  if (redirectTarget(target)?.sameOrigin === false) return t.examined(1)
  if (isRedirect(target)) {
    t.deviation({
      expected: 'a Location that can be followed',
      actual: answer.header('location') ?? 'no Location',
      exchanges: [answer],
    })
  }
  t.expect(target).status(200).array()
  const present = openAt(t, feed, { params: { owner: former.newOwner, repo: former.newRepo }, as })
  await sameNetwork(t, target, present, answer)
}

interface Moved {
  readonly owner: string
  readonly repo: string
  readonly newOwner: string
  readonly newRepo: string
}

/** Two readings of one feed have events in common, unless one of them has none. */
async function sameNetwork(t: CheckContext, target: Exchange, present: Listing, redirect: Exchange): Promise<void> {
  const page = await present.page()
  const wanted = new Set(present.ids(page))
  const found = present.ids(target)
  if (found.length === 0 || wanted.size === 0 || found.some((id) => wanted.has(id))) return
  const expected = 'the feed of the repository under its current name'
  t.deviation({ expected, actual: 'the events of another feed', exchanges: [redirect, target, page] })
}
