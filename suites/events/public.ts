import { endpoints } from '../../src/spec/endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { reader } from '../../src/suite/needs.ts'
import { feedChecks } from './every-feed.ts'
import type { Feed } from './feed.ts'
import { feedWindowChecks } from './feed-window.ts'
import { foreignPrivateCheck } from './private-events.ts'
import { anonymousCheck, bareTokenChecks, publicOnlyCheck, strangerChecks } from './visibility.ts'

const needs = { reader: reader() }
const feed: Feed<typeof needs> = {
  id: 'events.public',
  endpoint: endpoints.publicEvents,
  needs,
  at: ({ reader }) => ({ as: reader }),
}

export default suite({
  area: 'events',
  endpoint: feed.endpoint,
  checks: [
    ...feedChecks(feed, { excuses: [403] }),
    ...feedWindowChecks(feed),
    ...strangerChecks(feed),
    publicOnlyCheck(feed),
    foreignPrivateCheck(feed),
    anonymousCheck(feed, 'should'),
    ...bareTokenChecks(feed),
  ],
})
