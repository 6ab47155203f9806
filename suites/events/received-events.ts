import type { Level } from '../../src/spec/requirements.ts'
import type { Check } from '../../src/suite/check.ts'
import { loginOf, type NeedMap, need, role } from '../../src/suite/needs.ts'
import { type Feed, isBy, isPrivate, open } from './feed.ts'
import { expectListed, expectPrivate, isOf, nameOf, publicOfUser, repositoryEvents } from './known-events.ts'

/**
 * A user receives events of watched repositories and of followed users. An event with both causes proves neither. It is not
 * stated whether a user receives their own events. The document states this of one of the two feeds; of the other it is
 * expected (readings C19).
 */
export function receivedChecks<Needs extends NeedMap>(feed: Feed<Needs>, level: Level): Check[] {
  const content = feed.with({ requirement: 'events.received.content', level })
  const also = { username: loginOf('owner'), known: need('received-events') }
  return [
    content.check('watched', 'includes events of a watched repository', { also }, async (t, needs, { username, known }) => {
      const watched = nameOf(known.watchedRepository)
      const events = await repositoryEvents(t, watched, feed.at(needs).as)
      const onlyWatched = events.filter(
        ({ value }) => isOf(value, watched) && !isBy(value, username) && !isBy(value, known.followedLogin),
      )
      await expectListed(t, open(t, feed, needs), onlyWatched)
    }),
    content.check('followed', 'includes events of a followed user', { also }, async (t, needs, { known }) => {
      const { watchedRepository, followedLogin: username } = known
      const events = await publicOfUser(t, { username, reader: feed.at(needs).as })
      const onlyFollowed = events.filter(({ value }) => isBy(value, username) && !isOf(value, nameOf(watchedRepository)))
      await expectListed(t, open(t, feed, needs), onlyFollowed)
    }),
  ]
}

/** The owner receives the private events of a private repository that the owner watches. */
export function receivedPrivateCheck<Needs extends NeedMap>(feed: Feed<Needs>): Check {
  const also = { owner: role('owner'), username: loginOf('owner'), known: need('received-events', { private: true }) }
  return feed.check(
    'private-to-owner',
    'includes private events of a watched repository for the owner',
    { requirement: 'events.received.private', also },
    async (t, needs, { owner, username, known }) => {
      const watched = nameOf(known.watchedRepository)
      const events = await repositoryEvents(t, watched, owner)
      const secret = events.filter(({ value }) => isPrivate(value) && !isBy(value, username))
      if (secret.length === 0)
        await t.missing({ type: 'need', name: 'received-events' }, 'the watched repository has no private event')
      const received = open(t, feed, needs, owner)
      await expectListed(t, received, secret)
      const ofWatched = (await received.walk()).items.filter(({ value }) => isOf(value, watched))
      expectPrivate(t, ofWatched)
    },
  )
}
