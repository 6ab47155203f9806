import { endpoints } from '../../src/spec/endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { need, reader } from '../../src/suite/needs.ts'
import { feedChecks } from './every-feed.ts'
import type { Feed } from './feed.ts'
import { feedWindowChecks, hiddenPastCheck } from './feed-window.ts'
import { caseCheck, unknownNameCheck } from './names.ts'
import { emptyFeedCheck, organizationPresentCheck, organizationScopeCheck } from './scope.ts'
import { anonymousCheck, bareTokenChecks, strangerChecks } from './visibility.ts'

const needs = { organization: need('organization'), reader: reader() }
const feed: Feed<typeof needs> = {
  id: 'events.organization',
  endpoint: endpoints.organizationEvents,
  needs,
  at: ({ organization: { org }, reader }) => ({ params: { org }, as: reader }),
}

export default suite({
  area: 'events',
  endpoint: feed.endpoint,
  checks: [
    ...feedChecks(feed),
    ...feedWindowChecks(feed, {
      need: need('busy-organization'),
      at: ({ org }, { reader }) => ({ params: { org }, as: reader }),
    }),
    hiddenPastCheck(feed),
    emptyFeedCheck(feed, need('empty-organization'), ({ org }) => ({ org })),
    organizationPresentCheck(feed, 'must'),
    organizationScopeCheck(feed, 'must', ({ organization }) => organization.org),
    ...strangerChecks(feed),
    anonymousCheck(feed, 'should'),
    ...bareTokenChecks(feed),
    caseCheck(feed, 'org', 'should'),
    unknownNameCheck(feed, 'org'),
  ],
})
