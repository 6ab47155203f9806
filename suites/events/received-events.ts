import type { Caller } from '../../src/http/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, check } from '../../src/suite/check.ts'
import { Listing } from '../../src/suite/listing.ts'
import { type NeedMap, need, type Resolved, role } from '../../src/suite/needs.ts'
import { type Feed, isPrivate, loginIn, open, sameName } from './feed.ts'
import { byOthers, isOf, nameOf, repositoryEvents, shows } from './known-events.ts'

/** What the owner is known to receive. */
interface Known {
  readonly watchedRepository: string
  readonly followedLogin: string
}

/** What a user receives: events of watched repositories and of followed users. What has both causes proves neither. */
export function receivedChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const needs = { ...feed.needs, known: need('received-events') } as NeedMap
  return [
    check({
      id: `${feed.id}.watched`,
      requirement: 'events.received.content',
      level: 'must',
      title: 'includes events of a watched repository',
      needs,
      run: async (t, given) => {
        const { watchedRepository, followedLogin } = (given as { known: Known }).known
        const watched = nameOf(watchedRepository)
        const as = feed.at(given as Resolved<Needs>).as
        const others = byOthers(await repositoryEvents(t, watched, as), (given as { username: string }).username)
        const onlyWatched = (event: unknown) => isOf(event, watched) && !isBy(event, followedLogin)
        const known = others.filter(({ value }) => onlyWatched(value))
        shows(t, await open(t, feed, given as Resolved<Needs>).walk(), known, onlyWatched)
      },
    }),
    check({
      id: `${feed.id}.followed`,
      requirement: 'events.received.content',
      level: 'must',
      title: 'includes events of a followed user',
      needs,
      run: async (t, given) => {
        const { watchedRepository, followedLogin: username } = (given as { known: Known }).known
        const as = feed.at(given as Resolved<Needs>).as
        const { items } = await new Listing(t, { endpoint: endpoints.userPublicEvents, params: { username }, as }).walk()
        const onlyFollowed = (event: unknown) => isBy(event, username) && !isOf(event, nameOf(watchedRepository))
        const known = items.filter(({ value }) => onlyFollowed(value))
        shows(t, await open(t, feed, given as Resolved<Needs>).walk(), known, onlyFollowed)
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
    needs: { ...feed.needs, owner: role('owner'), known: need('received-events', { private: true }) } as NeedMap,
    run: async (t, given) => {
      const { owner, known } = given as { owner: Caller; known: Known }
      const watched = nameOf(known.watchedRepository)
      const others = byOthers(await repositoryEvents(t, watched, owner), (given as { username: string }).username)
      const secret = others.filter(({ value }) => isPrivate(value))
      if (secret.length === 0)
        await t.missing({ type: 'need', name: 'received-events' }, 'the watched repository has no private event')
      shows(
        t,
        await open(t, feed, given as Resolved<Needs>, owner).walk(),
        secret,
        (event) => isOf(event, watched) && isPrivate(event),
      )
    },
  })
}
