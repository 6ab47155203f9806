import type { Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, type Suite, suite } from '../../src/suite/check.ts'
import { loginOf, type Needing, type NeedMap, need, reader, role } from '../../src/suite/needs.ts'
import { unlessUntested } from '../common/access.ts'
import { dashboardAccessChecks } from './dashboard-access.ts'
import { feedChecks } from './every-feed.ts'
import type { Feed } from './feed.ts'
import { isPrivate, loginIn, sameName } from './feed.ts'
import { type BusyFeed, feedWindowChecks, hiddenPastCheck } from './feed-window.ts'
import { nameOf, type RepositoryName } from './known-events.ts'
import { caseCheck, unknownNameCheck } from './names.ts'
import { networkChecks } from './network-names.ts'
import { byUser, ofOrganization, ofPublicRepository, ofRepositoryOwner, ofSameRepository, publicOfUser } from './other-feeds.ts'
import { eventsPermissionChecks, foreignPrivateCheck, ownPrivateEventsChecks, ownRepositoryChecks } from './private-events.ts'
import { closedFeedChecks } from './private-repository-feeds.ts'
import { receivedChecks, receivedPrivateCheck } from './received-events.ts'
import { metadataChecks } from './repository-permission.ts'
import {
  actorScopeCheck,
  completeCheck,
  emptyFeedCheck,
  everyUserCheck,
  notEmptyCheck,
  organizationPresentCheck,
  organizationScopeCheck,
  repositoryScopeCheck,
} from './scope.ts'
import {
  anonymousCheck,
  bareTokenChecks,
  fellowChecks,
  type KnownPrivate,
  outsiderServedCheck,
  privateRepository,
  publicOnlyCheck,
  strangerChecks,
} from './visibility.ts'

/** One of the nine feeds: how it is addressed, and what is asked of it beyond what is asked of all. */
interface FeedRow<Needs extends NeedMap, Given> extends Feed<Needs> {
  /** A refusal of the plain request that says nothing (readings C23). */
  readonly excuses?: readonly number[]
  /** Absent for the feed of everything, which is always at the cap. */
  readonly busy?: BusyFeed<Needs, Given>
  readonly claims: (feed: Feed<Needs>) => readonly Check[]
  /** The parameters whose letter case makes no difference, and the level of that claim (readings C15). */
  readonly letterCase?: Readonly<Record<string, 'must' | 'should'>>
  /** The parameter that an unknown name is tried in. */
  readonly unknown?: string
}

/** The suite of one feed. */
function feedSuite<const Needs extends NeedMap, Given>(row: FeedRow<Needs, Given>): Suite {
  const { excuses = [], busy, claims, letterCase = {}, unknown } = row
  return suite({
    area: 'events',
    endpoint: row.endpoint,
    checks: [
      ...feedChecks(row, { excuses }),
      ...feedWindowChecks(row, busy),
      ...(busy ? [hiddenPastCheck(row)] : []),
      ...claims(row),
      ...Object.entries(letterCase).map(([parameter, level]) => caseCheck(row, parameter, level)),
      ...(unknown === undefined ? [] : [unknownNameCheck(row, unknown)]),
    ],
  })
}

/** A feed that anybody may read: expected without a token, stated for tokens without any permission (readings C12). */
function openChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  return [anonymousCheck(feed, 'should'), outsiderServedCheck(feed), ...bareTokenChecks(feed)]
}

/** Where private events that belong to each feed are known from (readings C10). */
const anyPrivate: KnownPrivate<NeedMap> = { repository: privateRepository }

const privateOfOrganization: KnownPrivate<{ organization: Needing<{ org: string }> }> = {
  repository: async (t, { organization: { org } }) => {
    const found = await privateRepository(t)
    return found && sameName(found.owner, org) ? found : undefined
  },
}

const privateByUser: KnownPrivate<{ username: Needing<string> }> = {
  repository: privateRepository,
  belongs: (event, { username }) => sameName(loginIn(event, 'actor'), username),
}

const privateReceived: KnownPrivate<{ username: Needing<string> }> = {
  repository: async (t) => {
    const given = await unlessUntested(t.ask('received-events', { private: true }))
    return given && nameOf(given.watchedRepository)
  },
  belongs: (event, { username }) => isPrivate(event) && !sameName(loginIn(event, 'actor'), username),
}

const ofUser = {
  needs: { username: loginOf('owner'), reader: reader() },
  at: ({ username, reader: as }: { username: string; reader: Caller }) => ({ params: { username }, as }),
  busy: {
    need: need('busy-user'),
    at: ({ login }: { login: string }, { reader: as }: { reader: Caller }) => ({ params: { username: login }, as }),
  },
  letterCase: { username: 'should' },
  unknown: 'username',
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
      ...openChecks(feed),
    ],
  }),
  feedSuite({
    ...ofRepository,
    id: 'events.network',
    endpoint: endpoints.networkEvents,
    claims: (feed) => [
      ...closedFeedChecks(feed),
      ...openChecks(feed),
      ...networkChecks(feed),
      completeCheck(feed, ofSameRepository),
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
      ...openChecks(feed),
    ],
    letterCase: { org: 'should' },
    unknown: 'org',
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
    unknown: 'repo',
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
      ...ownPrivateEventsChecks(feed),
      foreignPrivateCheck(feed, { ofFollowed: true }),
      ...eventsPermissionChecks(feed),
      ...openChecks(feed),
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
    ],
    letterCase: { username: 'should', org: 'should' },
    unknown: 'org',
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
      ...openChecks(feed),
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
      ...openChecks(feed),
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
      ...openChecks(feed),
    ],
  }),
]
