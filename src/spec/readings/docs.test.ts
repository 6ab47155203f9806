import { expect, test } from 'vitest'
import { areas } from '../endpoint.ts'
import { documentTitle, outline, type Place } from '../outline.ts'
import { documentRequirements as requirements } from '../requirements.ts'
import { apiVersions } from '../versions.ts'
import { chapters } from './index.ts'
import type { Chapter, Reading } from './reading.ts'

// The pages are made from the tables: "npx vitest run src/spec/readings/docs.test.ts -u" writes them anew.

test('docs/readings.md states every reading and the requirements that cite it', async () => {
  const page = [...readingsIntroduction, ...chapters.flatMap(chapterLines)]
  await expect(page.join('\n')).toMatchFileSnapshot('../../../docs/readings.md')
})

const readingsIntroduction = [
  '# Readings',
  '',
  'The judged document is the only authority ([document.md](document.md)), but it is silent in places, and in others two honest',
  'implementers may read it differently. A *reading* states how the suite judges such a place. This page is made from the table in',
  '`src/spec/readings`; comments cite a reading as "readings G4", requirements list the ones that bear on them, and `explain <check>`',
  'prints those of a check.',
  '',
  'The yardstick: **no false alarm on a server that the text permits, and no real fault let through.** A server that the document',
  'permits neither fails nor warns, and each reading states which faults are found nevertheless.',
  '',
  '## Words',
  '',
  '| word | meaning |',
  '|---|---|',
  '| fails | the check has the level *must*; the deviation is red |',
  '| warns | the check has the level *should*; the deviation is red only with `--strict` |',
  '| untested | nothing could be judged; the report names what is missing, and it never counts as a pass |',
  '| errored | no verdict was possible, because the target was unreachable, throttled the suite or timed out |',
  '| observation | what the target does where the document is silent; reported and never judged |',
  '| refusal class | the statuses 401, 403 and 404, which are not told apart (G3) |',
  "| control | a request of the same run that must be served, such as the owner's own, before a refusal counts (G4, G15) |",
  '| bracketed | the list is read before and after the probe, and both reads agree (G6) |',
  '| need | test data, a token or an action that the configuration or the provider supplies |',
  '',
  'One check has one level. Where a reading mentions a failure and a warning, the warning is a check of its own.',
  '',
  '## Flaky checks',
  '',
  'A check that fails is repeated, and one that passes on a repetition is flaky: it warns, unless `gate.flaky` says otherwise.',
  'Reading G13 makes an exception for an observation that timing cannot explain: a leak, the effect of a refused write, or data that was served to a token which nobody',
  'issued. It is red even when it was seen only once.',
  '',
]

function chapterLines({ letter, title, readings }: Chapter): string[] {
  return [`## ${letter}. ${title}`, '', ...readings.flatMap(readingLines)]
}

function readingLines({ id, section, open, judged, caught, uncited, checks }: Reading): string[] {
  const citing = requirements.filter(({ readings = [] }) => readings.includes(id))
  const none = `none. ${uncited ?? 'Only the code cites it.'}`
  return [
    `### ${id}`,
    '',
    `*${section}*`,
    '',
    `- **Open:** ${open}`,
    `- **Judged:** ${judged}`,
    ...(caught === undefined ? [] : [`- **Still caught:** ${caught}`]),
    `- **Requirements:** ${citing.length === 0 ? none : citing.map((requirement) => `\`${requirement.id}\``).join(', ')}`,
    ...(checks === undefined ? [] : [`- **Only for the checks:** ${checks.map((glob) => `\`${glob}\``).join(', ')}`]),
    '',
  ]
}

test('docs/document.md outlines the document and names the files that state each part', async () => {
  const page = [...documentIntroduction, ...outlineTable, '', ...citationRules]
  await expect(page.join('\n')).toMatchFileSnapshot('../../../docs/document.md')
})

const documentIntroduction = [
  '# The judged document',
  '',
  `*${documentTitle}*`,
  '',
  'This document is the only authority: a check exists because a sentence or a table of the document asks for it. It describes the part',
  'of a code-hosting REST API that the suite judges, in two versions.',
  '',
  `- versions: ${apiVersions.map((version) => `\`${version}\``).join(', ')}`,
  `- areas: ${areas.join(', ')}`,
  '',
  'Its words are neutral: they name no product, and a target that uses other words is judged through a dialect.',
  '',
  'The document itself is not part of this project. Its tables are in the source code, its sentences are paraphrased as requirements in',
  '`src/spec/requirements`, and its silences are settled by the [readings](readings.md). The reference server has rules of its own and',
  'uses none of these tables, so that a mistake in them shows.',
  '',
  '## Sections',
  '',
  'Parts are indented below their section. The numbers say how many numbered rules or rows a place has.',
  '',
]

const outlineTable = [
  '| section | what it states | numbered | files |',
  '|---|---|---|---|',
  ...outline.flatMap((section) => [placeRow(section), ...(section.parts ?? []).map((part) => placeRow(part, '– '))]),
]

function placeRow({ name, about, numbered, home = [] }: Place, indent = ''): string {
  return `| ${indent}${name} | ${about} | ${numbered ?? ''} | ${home.map((file) => `\`${file}\``).join('<br>')} |`
}

const citationRules = [
  '## The other tables',
  '',
  '| table | file |',
  '|---|---|',
  '| requirements: every normative statement, with its level, its checks or the reason for its exclusion | `src/spec/requirements/*.yaml` |',
  '| readings: how the silences of the document are judged | `src/spec/readings/` |',
  '| needs: the test data that checks depend on | `src/spec/needs.ts` |',
  '| sections: the outline above | `src/spec/outline.ts` |',
  '',
  '## How a section is cited',
  '',
  'Requirements, readings, endpoints and comments cite a section by its name, a part of it after a comma, or the part alone. Behind the',
  'name follow the numbers of rules, changes or statuses, or a few words for a column or a field. Several places are separated by',
  'semicolons. A test compares every citation with the outline.',
  '',
  '| citation | meaning |',
  '|---|---|',
  '| `Authentication, rule 7` | a numbered rule of a section |',
  '| `Polling rules 1 and 2` | two rules of a part |',
  '| `Resources and their fields, Event` | a part of a section |',
  '| `Versioning, Changes in version 2026-03-10, 5` | a row of the table of changes |',
  '| `Versioning, change 5` | the same row |',
  '| `Endpoints, Notifications; Errors 422` | two places, the second for one status |',
  '',
]
