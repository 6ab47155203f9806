import { endpoints } from '../../src/spec/endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { loginOf, need, reader } from '../../src/suite/needs.ts'
import { feedChecks } from './every-feed.ts'
import type { Feed } from './feed.ts'
import { feedWindowChecks, hiddenPastCheck } from './feed-window.ts'
import { caseCheck, unknownNameCheck } from './names.ts'
import { eventsPermissionCheck, ownPrivateEventsChecks } from './private-events.ts'
import { actorScopeCheck } from './scope.ts'
import { anonymousCheck, bareTokenChecks, strangerChecks } from './visibility.ts'

const needs = { username: loginOf('owner'), reader: reader() }
const feed: Feed<typeof needs> = {
  id: 'events.user',
  endpoint: endpoints.userEvents,
  needs,
  at: ({ username, reader }) => ({ params: { username }, as: reader }),
}

export default suite({
  area: 'events',
  endpoint: feed.endpoint,
  checks: [
    ...feedChecks(feed),
    ...feedWindowChecks(feed, {
      need: need('busy-user'),
      at: ({ login }, { reader }) => ({ params: { username: login }, as: reader }),
    }),
    hiddenPastCheck(feed),
    actorScopeCheck(feed),
    ...strangerChecks(feed),
    ...ownPrivateEventsChecks(feed),
    eventsPermissionCheck(feed),
    anonymousCheck(feed, 'should'),
    ...bareTokenChecks(feed),
    caseCheck(feed, 'username', 'should'),
    unknownNameCheck(feed, 'username'),
  ],
})
