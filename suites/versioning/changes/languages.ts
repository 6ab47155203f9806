import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { earlyLevel, partOf } from '../../../src/spec/changes.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { readOffered } from '../common/offered.ts'

const endpoint = changeEndpoints.defaultSetup
const part = partOf(11, 'value')
const { older, newer } = part
const needs = { owner: role('owner'), repository: need('default-setup') }

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
      needs,
      versions: [latestVersion],
      run: async (t, { owner, repository }) => {
        const answer = await readOffered(t, { endpoint, params: repository, as: owner })
        t.expectAll(languagesOf(answer), 'language').satisfy(
          `${newer.join(' or ')} in its place`,
          (language) => !older.some((former) => former === language),
        )
      },
    }),
    check({
      id: 'versioning.default-setup.kept-languages',
      requirement: 'versioning.change-11',
      level: earlyLevel(part),
      title: `lists ${older.join(' or ')}, and not ${newer.join()} alone`,
      needs,
      versions: [firstVersion],
      run: async (t, { owner, repository }) => {
        const answer = await readOffered(t, { endpoint, params: repository, as: owner })
        expectFormerOf(t, answer, languagesOf(answer))
      },
    }),
  ],
})

/** Which of the values the older version uses is not shown: where it has the newer one, it has one of the former, too. */
function expectFormerOf(t: CheckContext, answer: Exchange, languages: readonly { readonly value: unknown }[]): void {
  const lists = (values: readonly string[]) => languages.some(({ value }) => values.some((language) => language === value))
  if (!lists(older) && !lists(newer)) t.untested(`none of the languages is ${[...older, ...newer].join(', ')}`, 'default-setup')
  const expected = `${older.join(' or ')} among the languages`
  if (!lists(older)) t.deviation({ expected, actual: newer.join(), pointer: '/languages', exchanges: [answer] })
  t.examined(1)
}

function languagesOf(exchange: Exchange) {
  const languages = isObject(exchange.json) ? exchange.json.languages : undefined
  const values: unknown[] = Array.isArray(languages) ? languages : []
  return values.map((value, index) => ({ value, exchange, pointer: `/languages/${index}` }))
}
