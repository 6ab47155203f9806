import { endpoints } from '../../src/spec/endpoints.ts'
import { check, suite } from '../../src/suite/check.ts'
import { need, reader, role } from '../../src/suite/needs.ts'
import { feedChecks } from './every-feed.ts'
import type { Feed } from './feed.ts'
import { feedWindowChecks, hiddenPastCheck } from './feed-window.ts'
import { caseCheck, unknownNameCheck } from './names.ts'
import { privateRepositoryIsMarked } from './private-events.ts'
import { metadataChecks } from './repository-permission.ts'
import { emptyFeedCheck, repositoryScopeCheck } from './scope.ts'
import { anonymousCheck, strangerChecks } from './visibility.ts'

const needs = { repository: need('public-repository'), reader: reader() }
const feed: Feed<typeof needs> = {
  id: 'events.repository',
  endpoint: endpoints.repositoryEvents,
  needs,
  at: ({ repository: { owner, repo }, reader }) => ({ params: { owner, repo }, as: reader }),
}

export default suite({
  area: 'events',
  endpoint: feed.endpoint,
  checks: [
    ...feedChecks(feed),
    ...feedWindowChecks(feed, {
      need: need('busy-repository'),
      at: ({ owner, repo }, { reader }) => ({ params: { owner, repo }, as: reader }),
    }),
    hiddenPastCheck(feed),
    emptyFeedCheck(feed, need('empty-repository'), ({ owner, repo }) => ({ owner, repo })),
    repositoryScopeCheck(feed),
    ...strangerChecks(feed),
    anonymousCheck(feed, 'must'),
    ...metadataChecks(feed),
    check({
      id: 'events.repository.private-marked',
      requirement: 'events.event.private',
      level: 'must',
      title: 'marks every event of a private repository with public: false',
      needs: { secret: need('private-repository'), owner: role('owner') },
      run: async (t, { secret, owner }) => privateRepositoryIsMarked(t, secret, owner),
    }),
    caseCheck(feed, 'repo', 'should'),
    caseCheck(feed, 'owner', 'should'),
    unknownNameCheck(feed, 'repo'),
  ],
})
