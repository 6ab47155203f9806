import { endpoints } from '../../src/spec/endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { loginOf, need, role } from '../../src/suite/needs.ts'
import { dashboardAccessChecks } from './dashboard-access.ts'
import { feedChecks } from './every-feed.ts'
import type { Feed } from './feed.ts'
import { feedWindowChecks, hiddenPastCheck } from './feed-window.ts'
import { caseCheck, unknownNameCheck } from './names.ts'
import { organizationPresentCheck, organizationScopeCheck } from './scope.ts'

const needs = { username: loginOf('owner'), organization: need('organization'), owner: role('owner') }
const feed: Feed<typeof needs> = {
  id: 'events.user-organization',
  endpoint: endpoints.userOrganizationEvents,
  needs,
  ownerOnly: true,
  at: ({ username, organization: { org }, owner }) => ({ params: { username, org }, as: owner }),
}

export default suite({
  area: 'events',
  endpoint: feed.endpoint,
  checks: [
    ...feedChecks(feed),
    ...feedWindowChecks(feed, {
      need: need('busy-organization'),
      at: ({ org }, { username, owner }) => ({ params: { username, org }, as: owner }),
    }),
    hiddenPastCheck(feed),
    organizationPresentCheck(feed, 'should'),
    organizationScopeCheck(feed, 'should', ({ organization }) => organization.org),
    ...dashboardAccessChecks(feed),
    caseCheck(feed, 'username', 'should'),
    caseCheck(feed, 'org', 'should'),
    unknownNameCheck(feed, 'org'),
  ],
})
