import { endpoints } from '../../src/spec/endpoints.ts'
import type { Level } from '../../src/spec/requirements.ts'
import { type Check, check } from '../../src/suite/check.ts'
import { Listing } from '../../src/suite/listing.ts'
import { loginOf, type NeedMap, need, role } from '../../src/suite/needs.ts'
import { type Feed, isPrivate, loginIn, open, sameName } from './feed.ts'
import { allPrivate, byOthers, expectListed, isOf, nameOf, repositoryEvents } from './known-events.ts'

/**
 * What a user receives: events of watched repositories and of followed users. What has both causes proves neither.
 * The document says so of one of the two feeds; of the other it is expected (readings C19).
 */
export function receivedChecks<const Needs extends NeedMap>(feed: Feed<Needs>, level: Level): Check[] {
  const also = { username: loginOf('owner'), known: need('received-events') }
  return [
    check({
      id: `${feed.id}.watched`,
      requirement: 'events.received.content',
      level,
      title: 'includes events of a watched repository',
      needs: feed.needs,
      also,
      run: async (t, needs, { username, known: { watchedRepository, followedLogin } }) => {
        const watched = nameOf(watchedRepository)
        const as = feed.at(needs).as
        const others = byOthers(await repositoryEvents(t, watched, as), username)
        const onlyWatched = (event: unknown) => isOf(event, watched) && !isBy(event, followedLogin)
        const known = others.filter(({ value }) => onlyWatched(value))
        await expectListed(t, open(t, feed, needs), known)
      },
    }),
    check({
      id: `${feed.id}.followed`,
      requirement: 'events.received.content',
      level,
      title: 'includes events of a followed user',
      needs: feed.needs,
      also,
      run: async (t, needs, { known: { watchedRepository, followedLogin: username } }) => {
        const as = feed.at(needs).as
        const { items } = await new Listing(t, { endpoint: endpoints.userPublicEvents, params: { username }, as }).walk()
        const onlyFollowed = (event: unknown) => isBy(event, username) && !isOf(event, nameOf(watchedRepository))
        const known = items.filter(({ value }) => onlyFollowed(value))
        await expectListed(t, open(t, feed, needs), known)
      },
    }),
  ]
}

function isBy(event: unknown, login: string): boolean {
  return sameName(loginIn(event, 'actor'), login)
}

/** The owner receives the private events of a private repository that the owner watches. */
export function receivedPrivateCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.private-to-owner`,
    requirement: 'events.received.private',
    level: 'must',
    title: 'includes private events of a watched repository for the owner',
    needs: feed.needs,
    also: { owner: role('owner'), username: loginOf('owner'), known: need('received-events', { private: true }) },
    run: async (t, needs, { owner, username, known }) => {
      const watched = nameOf(known.watchedRepository)
      const others = byOthers(await repositoryEvents(t, watched, owner), username)
      const secret = others.filter(({ value }) => isPrivate(value))
      if (secret.length === 0)
        await t.missing({ type: 'need', name: 'received-events' }, 'the watched repository has no private event')
      const received = open(t, feed, needs, owner)
      await expectListed(t, received, secret)
      allPrivate(
        t,
        (await received.walk()).items.filter(({ value }) => isOf(value, watched)),
      )
    },
  })
}
