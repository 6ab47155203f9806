import type { Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, operation, type Suite } from '../../src/suite/check.ts'
import { loginOf, type NeedMap, need, reader, role } from '../../src/suite/needs.ts'
import { expectCaseIgnored, expectNoneForUnknown } from '../common/names.ts'
import { feedChecks } from './every-feed.ts'
import type { Feed, FeedPlace } from './feed.ts'
import { type BusyFeed, feedWindowChecks, hiddenPastCheck } from './feed-window.ts'
import {
  anyPrivate,
  byUser,
  ofOrganization,
  ofPublicRepository,
  ofRepositoryOwner,
  privateByUser,
  privateOfOrganization,
  privateReceived,
  publicOfUser,
  type RepositoryName,
  underItsName,
} from './known-events.ts'
import { dashboardAccessChecks, metadataChecks } from './permissions.ts'
import {
  closedFeedChecks,
  eventsPermissionChecks,
  foreignPrivateCheck,
  ownPrivateEventsCheck,
  ownRepositoryChecks,
  privateMarkedCheck,
  receivedChecks,
  receivedPrivateCheck,
} from './private-events.ts'
import {
  actorScopeCheck,
  completeCheck,
  emptyFeedCheck,
  everyUserCheck,
  networkChecks,
  notEmptyCheck,
  organizationPresentCheck,
  organizationScopeCheck,
  repositoryScopeCheck,
} from './scope.ts'
import { anonymousCheck, fellowChecks, openFeedChecks, publicOnlyCheck, strangerChecks } from './visibility.ts'

/** One of the nine feeds: its address, and its checks beyond those of every feed. */
interface FeedRow<Needs extends NeedMap, Given> extends FeedPlace<Needs> {
  readonly id: `events.${string}`
  readonly needs: Needs
  /** A status of the plain request that is not judged (readings C14, C23). */
  readonly excuses?: readonly number[]
  /** Absent for the feed of everything, which is always at the cap. */
  readonly busy?: BusyFeed<Needs, Given>
  readonly claims: (feed: Feed<Needs>) => readonly Check[]
  /** The parameters whose letter case makes no difference, and the level of that claim (readings C15). */
  readonly letterCase?: Readonly<Record<string, 'must' | 'should'>>
  /** The parameters that are tried with an unknown name. */
  readonly unknown?: readonly string[]
}

/** The suite of one feed. */
function feedSuite<const Needs extends NeedMap, Given>(row: FeedRow<Needs, Given>): Suite {
  const { id, needs, endpoint, at, ownerOnly = false, excuses = [], busy, claims, letterCase = {}, unknown = [] } = row
  const feed = { ...operation({ id, endpoint, needs, level: 'must' }), endpoint, at, ownerOnly }
  return feed.suite([
    ...feedChecks(feed, excuses),
    ...feedWindowChecks(feed, busy),
    ...(busy ? [hiddenPastCheck(feed)] : []),
    ...claims(feed),
    ...Object.entries(letterCase).map(([parameter, level]) => {
      const own = { requirement: 'events.feeds.case-insensitive', level }
      return feed.check(`case-of-${parameter}`, `ignores the letter case of {${parameter}}`, own, (t, needs) =>
        expectCaseIgnored(t, { ...at(needs), endpoint }, parameter),
      )
    }),
    ...unknown.map((parameter) => {
      const title = `returns no event for a {${parameter}} that does not exist`
      return feed.check(`unknown-${parameter}`, title, 'events.feeds.path', (t, needs) =>
        expectNoneForUnknown(t, { ...at(needs), endpoint }, parameter),
      )
    }),
  ])
}

const ofUser = {
  needs: { username: loginOf('owner'), reader: reader() },
  at: ({ username, reader: as }: { username: string; reader: Caller }) => ({ params: { username }, as }),
  busy: {
    need: need('busy-user'),
    at: ({ login }: { login: string }, { reader: as }: { reader: Caller }) => ({ params: { username: login }, as }),
  },
  letterCase: { username: 'should' },
  unknown: ['username'],
} as const

const ofRepository = {
  needs: { repository: need('public-repository'), reader: reader() },
  at: ({ repository: { owner, repo }, reader: as }: { repository: RepositoryName; reader: Caller }) => ({
    params: { owner, repo },
    as,
  }),
  busy: {
    need: need('busy-repository'),
    at: ({ owner, repo }: RepositoryName, { reader: as }: { reader: Caller }) => ({ params: { owner, repo }, as }),
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
      notEmptyCheck(feed, ofPublicRepository),
      ...strangerChecks(feed, anyPrivate),
      publicOnlyCheck(feed, anyPrivate),
      foreignPrivateCheck(feed),
      ...openFeedChecks(feed),
    ],
  }),
  feedSuite({
    ...ofRepository,
    id: 'events.network',
    endpoint: endpoints.networkEvents,
    excuses: [301],
    claims: (feed) => [
      ...closedFeedChecks(feed),
      ...openFeedChecks(feed),
      ...networkChecks(feed),
      completeCheck(feed, (t, { repository, reader }) => underItsName(t, repository, reader)),
    ],
    letterCase: { repo: 'must', owner: 'should' },
  }),
  feedSuite({
    id: 'events.organization',
    endpoint: endpoints.organizationEvents,
    needs: { organization: need('organization'), reader: reader() },
    at: ({ organization: { org }, reader: as }) => ({ params: { org }, as }),
    busy: { need: need('busy-organization'), at: ({ org }, { reader: as }) => ({ params: { org }, as }) },
    claims: (feed) => [
      emptyFeedCheck(feed, need('empty-organization'), ({ org }) => ({ org })),
      organizationPresentCheck(feed, 'must'),
      organizationScopeCheck(feed, 'must'),
      completeCheck(feed, ofOrganization),
      ...strangerChecks(feed, privateOfOrganization),
      ...openFeedChecks(feed),
    ],
    letterCase: { org: 'should' },
    unknown: ['org'],
  }),
  feedSuite({
    ...ofRepository,
    id: 'events.repository',
    endpoint: endpoints.repositoryEvents,
    claims: (feed) => [
      emptyFeedCheck(feed, need('empty-repository'), ({ owner, repo }) => ({ owner, repo })),
      repositoryScopeCheck(feed),
      completeCheck(feed, ofRepositoryOwner),
      ...closedFeedChecks(feed),
      anonymousCheck(feed, 'must'),
      ...metadataChecks(feed),
      ...ownRepositoryChecks(feed),
    ],
    letterCase: { repo: 'should', owner: 'should' },
    unknown: ['owner', 'repo'],
  }),
  feedSuite({
    ...ofUser,
    id: 'events.user',
    endpoint: endpoints.userEvents,
    claims: (feed) => [
      actorScopeCheck(feed),
      completeCheck(feed, publicOfUser),
      everyUserCheck(feed),
      ...strangerChecks(feed, privateByUser),
      ...fellowChecks(feed, privateByUser),
      ownPrivateEventsCheck(feed),
      privateMarkedCheck(feed),
      foreignPrivateCheck(feed, { ofFollowed: true }),
      ...eventsPermissionChecks(feed),
      ...openFeedChecks(feed),
    ],
  }),
  feedSuite({
    id: 'events.user-organization',
    endpoint: endpoints.userOrganizationEvents,
    needs: { username: loginOf('owner'), organization: need('organization'), owner: role('owner') },
    ownerOnly: true,
    at: ({ username, organization: { org }, owner: as }) => ({ params: { username, org }, as }),
    busy: { need: need('busy-organization'), at: ({ org }, { username, owner: as }) => ({ params: { username, org }, as }) },
    claims: (feed) => [
      organizationPresentCheck(feed, 'should'),
      organizationScopeCheck(feed, 'should'),
      notEmptyCheck(feed, (t, { organization, owner: reader }) => ofOrganization(t, { organization, reader })),
      ...dashboardAccessChecks(feed),
      privateMarkedCheck(feed),
    ],
    letterCase: { username: 'should', org: 'should' },
    unknown: ['username', 'org'],
  }),
  feedSuite({
    ...ofUser,
    id: 'events.user-public',
    endpoint: endpoints.userPublicEvents,
    claims: (feed) => [
      actorScopeCheck(feed),
      completeCheck(feed, byUser),
      everyUserCheck(feed),
      ...strangerChecks(feed, privateByUser),
      publicOnlyCheck(feed, privateByUser),
      ...openFeedChecks(feed),
    ],
  }),
  feedSuite({
    ...ofUser,
    id: 'events.received',
    endpoint: endpoints.receivedEvents,
    claims: (feed) => [
      ...receivedChecks(feed, 'must'),
      everyUserCheck(feed),
      receivedPrivateCheck(feed),
      foreignPrivateCheck(feed),
      ...strangerChecks(feed, privateReceived),
      ...fellowChecks(feed, privateReceived),
      ...openFeedChecks(feed),
    ],
  }),
  feedSuite({
    ...ofUser,
    id: 'events.received-public',
    endpoint: endpoints.receivedPublicEvents,
    claims: (feed) => [
      ...receivedChecks(feed, 'should'),
      everyUserCheck(feed),
      foreignPrivateCheck(feed),
      ...strangerChecks(feed, privateReceived),
      publicOnlyCheck(feed, privateReceived),
      ...openFeedChecks(feed),
    ],
  }),
]
