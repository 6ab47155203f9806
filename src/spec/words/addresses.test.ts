import { expect, test } from 'vitest'
import { countedAs } from './addresses.ts'

test.each([
  ['GET /gists/7', 'GET /gists/{gist_id}'],
  ['GET /gists/starred', 'GET /gists/starred'],
  ['GET /gists/{gist_id}', 'GET /gists/{gist_id}'],
  ['DELETE /orgs/octo-org/campaigns/318', 'DELETE /orgs/{org}/campaigns/{campaign_number}'],
  ['GET /disposables/mona/keys', 'GET (addresses of the test data)'],
  ['POST /conformance/nowhere-95f08b3c', 'POST (addresses that do not exist)'],
  ['GET (archive)', 'GET (archive)'],
])('a request to %s is counted with %s', (label, counted) => {
  expect(countedAs(label)).toBe(counted)
})
