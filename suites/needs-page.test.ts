import { expect, test } from 'vitest'
import { type NeedDescription, shippedNeeds } from '../src/run/needs/need-catalogue.ts'
import { needName } from '../src/run/selection/asked-needs.ts'
import { allChecks, type PlacedCheck } from '../src/run/selection/selection.ts'
import { areas } from '../src/spec/endpoints.ts'
import { needsOf } from '../src/suite/check.ts'
import { counted } from '../src/text/counted.ts'
import { suites } from './index.ts'

// The page is made from the need catalogue: "npx vitest run suites/needs-page.test.ts -u" writes it anew.

const checks = allChecks(suites)

test('docs/needs.md names every need by area, with the checks that it opens', async () => {
  const page = [
    '# Needs by area',
    '',
    'A need is what a check depends on: a token, test data, something that happens while it runs. A check whose need is missing is',
    'untested; nothing else suffers. Give a need as a value in the configuration (`needs.<name>`), or let a',
    '[provider](provider.md) create it on demand. `service-conformance doctor` lists what your target lacks, the most valuable first.',
    '',
    '- A *value* is read and shared by checks.',
    '- A *consumable* is used up by one check in one version: give a list, or a provider.',
    '- An *action* causes something on the target while a check waits; only a provider can do that.',
    '',
    'The last column is the number of checks in the area that ask for the need, and so what your server gains by it. A check counts at',
    'every need that it asks for. This page is made from `schemas/needs`.',
    '',
    ...areas.flatMap(areaLines),
    '## No check asks for these by name',
    '',
    'They are asked for while a check runs, when what was read shows that they would help.',
    '',
    ...tableOf([...shippedNeeds.values()].filter(({ name }) => countIn(checks, name) === 0).map((need) => [need.name, 0])),
    '',
  ]
  await expect(page.join('\n')).toMatchFileSnapshot('../docs/needs.md')
})

function areaLines(area: (typeof areas)[number]): string[] {
  const own = checks.filter(({ suite }) => suite.area === area)
  const names = [...new Set(own.flatMap(namesOf))]
  const rows = names.map((name): [string, number] => [name, countIn(own, name)]).sort(([, one], [, other]) => other - one)
  const free = own.filter((placed) => namesOf(placed).length === 0).length
  const without =
    free === 0 ? 'every check needs something' : `${counted(free, 'check')} ${free === 1 ? 'needs' : 'need'} nothing`
  return [`## ${area}`, '', `${counted(own.length, 'check')}; ${without}.`, '', ...tableOf(rows, area), '']
}

/** The needs that a check cannot do without, and what it asks for while it runs. */
function namesOf({ check }: PlacedCheck): string[] {
  const declared = Object.values(needsOf(check)).flatMap((wanted) => (wanted.optional ? [] : (needName(wanted) ?? [])))
  return [...new Set([...declared, ...(check.asks ?? [])])]
}

function countIn(placed: readonly PlacedCheck[], name: string): number {
  return placed.filter((one) => namesOf(one).includes(name)).length
}

/** Where each need is described: under the first area that asks for it. */
const described = new Map<string, string>()

function tableOf(rows: readonly (readonly [string, number])[], area = ''): string[] {
  const lines = rows.map(([name, count]) => {
    const need = shippedNeeds.get(name)
    const above = described.get(name)
    if (need) described.set(name, above ?? area)
    const what = above
      ? `see [${above}](#${above}) |`
      : need
        ? `${meaningOf(need)} | ${membersOf(need.given)}`
        : `${configured(name)} |`
    return `| \`${name}\` | ${need?.kind ?? 'configured'} | ${what} | ${count} |`
  })
  return ['| need | kind | what it is | its members | checks |', '|---|---|---|---|---|', ...lines]
}

function meaningOf({ description }: NeedDescription): string {
  return description.replaceAll('|', '\\|')
}

function configured(name: string): string {
  const role = /^token:(.*)$/.exec(name)?.[1]
  return role === undefined
    ? `\`${name.replace(/^paths/, 'target.paths')}\` in the configuration`
    : `\`role: ${role}\` under \`tokens\``
}

/** The members of a form, in its order; optional ones carry a question mark. */
function membersOf(form: object): string {
  const { properties = {}, required = [] } = form as { properties?: object; required?: string[] }
  return Object.keys(properties)
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
    .join(', ')
}
