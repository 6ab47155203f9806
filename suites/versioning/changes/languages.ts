import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { earlyLevel, partOf } from '../../../src/spec/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { ofChange } from '../common/change.ts'
import { readOffered } from '../common/offered.ts'

const endpoint = changeEndpoints.defaultSetup
const part = partOf(11, 'value')
const { older, newer } = part
const needs = { owner: role('owner'), repository: need('default-setup') }
const { both, underLatest, underFirst } = ofChange(11, { id: 'versioning.default-setup', endpoint, needs })

/** Change 11: two languages become one; values are compared whole (readings V19). */
export default both.suite([
  underLatest.check('languages', `omits ${older.join(' and ')} from the languages`, async (t, { owner, repository }) => {
    const answer = await readOffered(t, { endpoint, params: repository, as: owner })
    t.expectAll(languagesOf(answer), 'language').satisfy(
      `${newer.join(' or ')} in its place`,
      (language) => !older.some((former) => former === language),
    )
  }),
  underFirst.check(
    'kept-languages',
    `lists ${older.join(' or ')}, and not ${newer.join()} alone`,
    { level: earlyLevel(part) },
    async (t, { owner, repository }) => {
      const answer = await readOffered(t, { endpoint, params: repository, as: owner })
      expectFormerOf(t, answer, languagesOf(answer))
    },
  ),
])

/** The older version must have one of the former values if it has the newer one. The document leaves open which. */
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
