import type { Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { Level } from '../../src/spec/requirements.ts'
import { type Check, operation, type Suite } from '../../src/suite/check.ts'
import { loginOf, type NeedMap, need, reader, role } from '../../src/suite/needs.ts'
import { expectCaseIgnored, expectNoneForUnknown } from '../common/names.ts'
import { unlessUntested } from '../common/proof.ts'
import type { RepositoryName } from '../common/repositories.ts'
import { feedChecks } from './every-feed.ts'
import { type Feed, type FeedPlace, furtherAddresses, open } from './feed.ts'
import { type BusyFeed, feedWindowChecks, hiddenPastCheck } from './feed-window.ts'
import * as known from './known-events.ts'
import { dashboardAccessChecks, metadataChecks } from './permissions.ts'
import * as privacy from './private-events.ts'
import * as scope from './scope.ts'
import {
  bareInstallation,
  fellowChecks,
  openFeedChecks,
  publicOnlyCheck,
  publicRepositoryChecks,
  strangerChecks,
} from './visibility.ts'

/** One of the nine feeds: its address, and its checks beyond those of every feed. */
interface FeedRow<Needs extends NeedMap, Given> extends FeedPlace<Needs> {
  readonly id: `events.${string}`
  readonly needs: Needs
  /** A status of the plain request that is not judged (readings C14, C23). */
  readonly excuses?: readonly number[]
  /** Absent for the feed of everything, which is always at the cap. */
  readonly busy?: BusyFeed<Needs, Given>
  readonly claims: (feed: Feed<Needs>) => readonly Check[]
  /** The level of the claim that the letter case of `{repo}` makes no difference (readings C15). */
  readonly letterCase?: Level
  /** The parameters that are tried with an unknown name. */
  readonly unknown?: readonly string[]
}

/** The suite of one feed. */
function feedSuite<const Needs extends NeedMap, Given>(row: FeedRow<Needs, Given>) {
  const {
    id,
    needs,
    endpoint,
    at,
    ownerOnly = false,
    kinds = [],
    excuses = [],
    busy,
    claims,
    letterCase,
    unknown = [],
  } = row
  const feed = {
    ...operation({ id, endpoint, needs, level: 'must' }),
    endpoint,
    at,
    ownerOnly,
    kinds,
    further: row.further ?? [],
  }
  return feed.suite([
    ...feedChecks(feed, excuses),
    ...feedWindowChecks(feed, busy),
    ...(busy ? [hiddenPastCheck(feed)] : []),
    ...claims(feed),
    ...(letterCase ? [letterCaseCheck(feed, letterCase)] : []),
    ...unknown.map((parameter) => {
      return feed.check(
        `unknown-${parameter}`,
        `returns no event for a {${parameter}} that does not exist`,
        'events.feeds.path',
        (t, needs) => expectNoneForUnknown(t, { ...at(needs), endpoint }, parameter),
      )
    }),
  ])
}

/** The check that the letter case of a repository's name makes no difference, in its feed either. */
function letterCaseCheck<Needs extends NeedMap>(feed: Feed<Needs>, level: Level) {
  return feed.check(
    'case-of-repo',
    'ignores the letter case of {repo}',
    { requirement: 'events.feeds.case-insensitive', level },
    async (t, needs) => {
      const renamed = await expectCaseIgnored(
        t,
        { ...feed.at(needs), endpoint: feed.endpoint },
        'repo',
      )
      const { items } = await open(t, feed, needs).walk()
      if (renamed) await unlessUntested(known.expectListed(t, renamed, items))
      // A page of one event may be filtered, but it exists.
      if (renamed && items.length > 2)
        t.expect(await t.read(renamed.request({ per_page: 1, page: 2 }))).status(200)
      for (const other of await furtherAddresses(t, feed, needs))
        await unlessUntested(expectCaseIgnored(t, { ...other, endpoint: feed.endpoint }, 'repo'))
    },
  )
}

const ofUser = {
  needs: { username: loginOf('owner'), reader: reader() },
  at: ({ username, reader: as }: { username: string; reader: Caller }) => ({
    params: { username },
    as,
  }),
  busy: {
    need: need('busy-user'),
    asNeeds: ({ login }: { login: string }) => ({ username: login }),
  },
  unknown: ['username'],
} as const

const ofRepository = {
  kinds: ['fork', 'private'],
  needs: { repository: need('public-repository'), reader: reader() },
  at: ({
    repository: { owner, repo },
    reader: as,
  }: {
    repository: RepositoryName
    reader: Caller
  }) => ({
    params: { owner, repo },
    as,
  }),
  busy: {
    need: need('busy-repository'),
    asNeeds: (repository: RepositoryName) => ({ repository }),
  },
} as const

/** The suites of the nine event feeds, in the document's order. */
export const eventsSuites: readonly Suite[] = [
  feedSuite({
    id: 'events.public',
    endpoint: endpoints.publicEvents,
    needs: { reader: reader() },
    at: ({ reader: as }) => ({ as }),
    excuses: [403],
    claims: (feed) => [
      scope.notEmpty(feed, known.ofPublicRepository),
      ...strangerChecks(feed, known.anyPrivate),
      publicOnlyCheck(feed, known.anyPrivate),
      privacy.foreign(feed),
      ...openFeedChecks(feed),
    ],
  }),
  feedSuite({
    ...ofRepository,
    id: 'events.network',
    endpoint: endpoints.networkEvents,
    excuses: [301],
    claims: (feed) => [
      ...privacy.closedFeed(feed),
      ...openFeedChecks(feed),
      ...scope.networks(feed),
      scope.notEmpty(feed, known.ofNetwork),
    ],
    letterCase: 'must',
  }),
  feedSuite({
    id: 'events.organization',
    endpoint: endpoints.organizationEvents,
    further: ['empty-organization'],
    needs: { organization: need('organization'), reader: reader() },
    at: ({ organization: { org }, reader: as }) => ({ params: { org }, as }),
    busy: { need: need('busy-organization'), asNeeds: (organization) => ({ organization }) },
    claims: (feed) => [
      scope.emptyFeed(feed, need('empty-organization'), ({ org }) => ({ org })),
      scope.organizationPresent(feed, 'must'),
      scope.ofOrganization(feed, 'must'),
      scope.notEmpty(feed, known.ofOrganization),
      ...strangerChecks(feed, known.privateOfOrganization),
      ...fellowChecks(feed, known.privateOfOrganization, [bareInstallation]),
      ...openFeedChecks(feed),
    ],
    unknown: ['org'],
  }),
  feedSuite({
    ...ofRepository,
    id: 'events.repository',
    endpoint: endpoints.repositoryEvents,
    further: ['empty-repository'],
    claims: (feed) => [
      scope.emptyFeed(feed, need('empty-repository'), ({ owner, repo }) => ({ owner, repo })),
      scope.ofRepository(feed),
      scope.notEmpty(feed, known.ofRepositoryOwner),
      ...privacy.closedFeed(feed),
      ...publicRepositoryChecks(feed),
      ...metadataChecks(feed),
      ...privacy.ownRepository(feed),
    ],
    letterCase: 'should',
    unknown: ['owner', 'repo'],
  }),
  feedSuite({
    ...ofUser,
    id: 'events.user',
    endpoint: endpoints.userEvents,
    claims: (feed) => [
      scope.ofActor(feed),
      scope.notEmpty(feed, known.publicOfUser),
      scope.everyUser(feed),
      ...strangerChecks(feed, known.privateByUser),
      ...fellowChecks(feed, known.privateByUser),
      privacy.ownEvents(feed),
      privacy.marked(feed),
      privacy.foreign(feed, { ofFollowed: true }),
      ...privacy.eventsPermission(feed),
      ...openFeedChecks(feed),
    ],
  }),
  feedSuite({
    id: 'events.user-organization',
    endpoint: endpoints.userOrganizationEvents,
    needs: { username: loginOf('owner'), organization: need('organization'), owner: role('owner') },
    ownerOnly: true,
    at: ({ username, organization: { org }, owner: as }) => ({ params: { username, org }, as }),
    busy: { need: need('busy-organization'), asNeeds: (organization) => ({ organization }) },
    claims: (feed) => [
      scope.organizationPresent(feed, 'should'),
      scope.ofOrganization(feed, 'should'),
      scope.notEmpty(feed, (t, { organization, owner: reader }) =>
        known.ofOrganization(t, { organization, reader }),
      ),
      ...dashboardAccessChecks(feed),
      privacy.marked(feed),
    ],
    unknown: ['username', 'org'],
  }),
  feedSuite({
    ...ofUser,
    id: 'events.user-public',
    endpoint: endpoints.userPublicEvents,
    claims: (feed) => [
      scope.ofActor(feed),
      scope.notEmpty(feed, known.byUser),
      scope.everyUser(feed),
      ...strangerChecks(feed, known.privateByUser),
      publicOnlyCheck(feed, known.privateByUser),
      ...openFeedChecks(feed),
    ],
  }),
  feedSuite({
    ...ofUser,
    id: 'events.received',
    endpoint: endpoints.receivedEvents,
    claims: (feed) => [
      ...privacy.received(feed),
      scope.everyUser(feed),
      privacy.receivedPrivate(feed),
      privacy.foreign(feed),
      ...strangerChecks(feed, known.privateReceived),
      ...fellowChecks(feed, known.privateReceived),
      ...openFeedChecks(feed),
    ],
  }),
  feedSuite({
    ...ofUser,
    id: 'events.received-public',
    endpoint: endpoints.receivedPublicEvents,
    claims: (feed) => [
      scope.notEmpty(feed, known.ofWatched, 'received-events'),
      scope.everyUser(feed),
      privacy.foreign(feed),
      ...strangerChecks(feed, known.privateReceived),
      publicOnlyCheck(feed, known.privateReceived),
      ...openFeedChecks(feed),
    ],
  }),
]
