import { readRun } from '../../src/report/read.ts'

/** What each check came to, by lane; a check that did not pass says why. */
export type Outcomes = ReadonlyMap<string, string>

/** The outcome of each check in a directory of reports. */
export function outcomesIn(directory: string): Outcomes {
  const { run, reports } = readRun(directory)
  const lanes = [
    ...reports.map(({ apiVersion, checks }) => ({ lane: apiVersion as string, checks })),
    { lane: 'across', ...run.crossVersion },
  ]
  return new Map(
    lanes.flatMap(({ lane, checks }) =>
      checks.map(({ id, outcome, detail, ...more }) => {
        const word = 'flaky' in more && more.flaky ? 'flaky' : outcome
        return [`${lane} ${id}`, outcome === 'passed' ? word : `${word} (${detail})`] as const
      }),
    ),
  )
}

/** The checks that do not come to the same, each as a sentence. */
export function differences(expected: Outcomes, found: Outcomes): string[] {
  const checks = [...new Set([...expected.keys(), ...found.keys()])]
  const word = (text = 'missing') => text.split(' ')[0]
  return checks
    .filter((check) => word(expected.get(check)) !== word(found.get(check)))
    .map((check) => `${check}: ${expected.get(check)} → ${found.get(check)}`)
}
