import type { Exchange } from '../../src/http/exchange.ts'
import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { partOf } from '../../src/spec/changes.ts'
import { latestVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import { isObject } from '../../src/suite/located.ts'
import { need, role } from '../../src/suite/needs.ts'
import { readOffered } from './offered.ts'

const endpoint = changeEndpoints.defaultSetup
const { older, newer } = partOf(11, 'value')

/** Change 11: two languages become one; values are compared whole (readings V19). */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    check({
      id: 'versioning.default-setup.languages',
      requirement: 'versioning.change-11',
      level: 'must',
      title: `omits ${older.join(' and ')} from the languages`,
      needs: { owner: role('owner'), repository: need('default-setup') },
      versions: [latestVersion],
      run: async (t, { owner, repository }) => {
        const answer = await readOffered(t, { endpoint, params: repository, as: owner })
        t.expectAll(languagesOf(answer), 'language').satisfy(
          `${newer.join(' or ')} in its place`,
          (language) => !older.some((former) => former === language),
        )
      },
    }),
  ],
})

function languagesOf(exchange: Exchange) {
  const languages = isObject(exchange.json) ? exchange.json.languages : undefined
  const values: unknown[] = Array.isArray(languages) ? languages : []
  return values.map((value, index) => ({ value, exchange, pointer: `/languages/${index}` }))
}
