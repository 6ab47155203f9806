import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { isRedirect, redirectTarget } from '../../src/http/exchange/redirect.ts'
import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type NeedMap, need, type Resolved, reader } from '../../src/suite/needs.ts'
import { readRenamed, unknownName } from '../common/names.ts'
import { type Feed, open, openAt } from './feed.ts'

/** Networks of repositories that do not exist or have moved (document: Endpoints, Event feeds). */
export function networkChecks<Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const missing = feed.with({ requirement: 'events.network.not-found' })
  const readMissing = async (t: CheckContext, needs: Resolved<Needs>) => {
    await open(t, feed, needs).page()
    const address = { ...feed.at(needs), endpoint: feed.endpoint }
    return [await readRenamed(t, address, 'repo'), await readRenamed(t, address, 'owner')]
  }
  const needs = { former: need('renamed-repository'), reader: reader() }
  const moved = feed.with({ needs, requirement: 'events.network.moved', level: 'should' })
  return [
    missing.check('missing', 'rejects a repository that does not exist', async (t, needs) => {
      for (const answer of await readMissing(t, needs))
        t.expect(answer).satisfy('404', answer.status >= 400 && !answer.broken, String(answer.status))
    }),
    missing.check('missing-exact', 'returns 404 for a repository that does not exist', { level: 'should' }, async (t, needs) => {
      const isRejection = ({ status }: Exchange) => status >= 400 && status < 500
      const rejections = (await readMissing(t, needs)).filter(isRejection)
      if (rejections.length === 0) t.untested('no request was rejected, which another check judges')
      for (const answer of rejections) t.expect(answer).status(404)
    }),
    moved.check(
      'moved',
      'returns 301 or 200 for the former address of a moved repository',
      { level: 'must' },
      async (t, { former, reader }) => {
        const answer = await readFormer(t, feed, former, reader)
        if (answer.refused) t.untested(`the former name returns ${answer.status}, which another check judges`)
        t.expect(answer).status(301, 200)
      },
    ),
    moved.check(
      'moved-found',
      'returns no rejection for the former address of a moved repository',
      async (t, { former, reader }) => {
        const answer = await readFormer(t, feed, former, reader)
        t.expect(answer).satisfy('301 or 200', !answer.refused, String(answer.status))
      },
    ),
    moved.check(
      'moved-location',
      'redirects the former address of a moved repository to its current feed',
      (t, { former, reader }) => expectLeadsOn(t, feed, former, reader),
    ),
  ]
}

interface Moved {
  readonly owner: string
  readonly repo: string
  readonly newOwner: string
  readonly newRepo: string
}

/** Reads a former address. The control: the present name has a feed, and a name that does not exist has none (readings G15). */
async function readFormer<Needs extends NeedMap>(t: CheckContext, feed: Feed<Needs>, former: Moved, as: Caller) {
  const { owner, repo, newOwner, newRepo } = former
  await openAt(t, feed, { params: { owner: newOwner, repo: newRepo }, as }).page()
  const unknown = await t.read({ endpoint: feed.endpoint, params: { owner, repo: unknownName }, as })
  if (unknown.ok) t.untested('a name that does not exist is served as well')
  return t.read({ endpoint: feed.endpoint, params: { owner, repo }, as, direct: 'to-another-path' })
}

async function expectLeadsOn<Needs extends NeedMap>(t: CheckContext, feed: Feed<Needs>, former: Moved, as: Caller) {
  const { owner, repo, newOwner, newRepo } = former
  const request = openAt(t, feed, { params: { owner, repo }, as }).request()
  const redirect = await t.read({ ...request, direct: 'to-another-path' })
  if (!isRedirect(redirect))
    t.untested(redirect.refused ? 'the former name is rejected' : 'the former name is served without a redirect')
  const target = await t.read(request)
  if (redirectTarget(target)?.sameOrigin === false) return t.examined(1)
  const location = redirect.header('location') ?? 'no Location'
  t.expect(redirect).satisfy('a Location that can be followed', !isRedirect(target), location)
  t.expect(target).status(200).array()
  const present = openAt(t, feed, { params: { owner: newOwner, repo: newRepo }, as })
  const page: Exchange = await present.page()
  const [wanted, ids] = [new Set(present.ids(page)), present.ids(target)]
  // Two readings of one feed have events in common, unless one of them has none.
  const common = ids.length === 0 || wanted.size === 0 || ids.some((id) => wanted.has(id))
  const expected = 'the feed of the repository under its current name'
  if (!common) t.deviation({ expected, actual: 'the events of another feed', exchanges: [redirect, target, page] })
}
