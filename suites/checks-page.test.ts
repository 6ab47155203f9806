import { expect, test } from 'vitest'
import { allChecks } from '../src/run/selection/selection.ts'
import { type Requirement, documentRequirements as requirements } from '../src/spec/requirements.ts'
import { groupBy } from '../src/text/group.ts'
import { suites } from './index.ts'

// The page is made from the checks: "npx vitest run suites/checks-page.test.ts -u" writes it anew.

/** One claim that several operations share. */
interface Claim {
  readonly aspect: string
  readonly level: string
  readonly title: string
}

const checks = allChecks(suites).map(({ check }) => check)
const judged = new Set<string>()

test('docs/checks.md names every check with its requirement and readings', async () => {
  const page = [
    '# Checks',
    '',
    `Every one of the ${checks.length} checks, below the requirement that it judges. The id of a check is the name of its operation, a dot and the aspect`,
    'in the first column: `per-page-default` of `events.public` is `events.public.per-page-default`. The readings say how the suite judges',
    'where the document is silent; [readings.md](readings.md) has their texts. `service-conformance explain` tells more of each check.',
    '',
    'This page is made from the suites and from `src/spec/requirements`.',
    '',
    ...requirements.flatMap(linesOf),
  ]
  await expect(page.join('\n')).toMatchFileSnapshot('../docs/checks.md')
  expect(checks.filter(({ id }) => !judged.has(id)).map(({ id }) => id)).toEqual([])
})

function linesOf(requirement: Requirement): string[] {
  const judging = checks.filter((check) => check.requirement === requirement.id)
  const readings = requirement.readings?.length ? ` Readings: ${requirement.readings.join(', ')}.` : ''
  const head = [`## ${requirement.id}`, '', `${requirement.section}; ${requirement.level}. ${requirement.text}${readings}`, '']
  if (requirement.excluded !== undefined) return [...head, `Not judged: ${requirement.excluded}`, '']
  if (judging.length === 0) return [...head, `Judged by checks of other requirements: ${named(requirement.checks ?? [])}.`, '']
  return [...head, '| aspect | level | the server | operations |', '|---|---|---|---|', ...rowsOf(judging), '']
}

function rowsOf(judging: typeof checks): string[] {
  const claims = groupBy(judging, ({ id, level, title }) => JSON.stringify([aspectOf(id), level, title]))
  return [...claims].map(([key, same]) => {
    const [aspect, level, title] = JSON.parse(key) as [Claim['aspect'], Claim['level'], Claim['title']]
    for (const { id } of same) judged.add(id)
    return `| \`${aspect}\` | ${level} | ${title.replaceAll('|', '\\|')} | ${operationsOf(same.map(({ id }) => id))} |`
  })
}

/** `events.public`, `repository`: the area once, then the operations. */
function operationsOf(ids: readonly string[]): string {
  const byArea = groupBy(
    ids.map((id) => id.split('.')),
    ([area = '']) => area,
  )
  return [...byArea].map(([area, parts]) => `${area}: ${parts.map(([, operation]) => `\`${operation}\``).join(' ')}`).join('; ')
}

function aspectOf(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1)
}

function named(globs: readonly string[]): string {
  return globs.map((glob) => `\`${glob}\``).join(', ')
}
