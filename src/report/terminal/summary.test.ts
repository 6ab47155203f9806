import { describe, expect, test } from 'vitest'
import { lacking, sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { Reason } from '../../record/reason.ts'
import { reportLanes } from '../../record/report-lanes.ts'
import { noCrossVersion } from '../../record/run-record.ts'
import { openReasons } from '../../record/verdict.ts'
import { renderMarkdown } from '../formats/markdown.ts'
import { verdictStyle } from '../view/subject.ts'
import { renderConclusion } from './summary.ts'

const view = { colours: false, formats: ['html'] }
const { run, reports } = sampleRecords()
const lines = renderConclusion(run, reports, 'out', view)

const [sample] = sampleChecks()
const checksOf = (outcome: CheckRecord['outcome'], count: number, more: (index: number) => Partial<CheckRecord> = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ ...(sample as CheckRecord), outcome, id: `events.a.${index}`, ...more(index) }))

/** The conclusion over one version with these checks. */
function conclude(checks: CheckRecord[], verdict: typeof run.verdict, verbose = false) {
  const records = sampleRecords({ verdict, crossVersion: noCrossVersion, leftBehind: [], waivers: [] })
  return renderConclusion(records.run, [sampleReport('2026-03-10', checks)], 'out', { ...view, verbose })
}

describe('the conclusion on the terminal', () => {
  test('the verdicts with their coverage and the path of the page come last', () => {
    const counts = '1 passed, 1 failed, 1 warned, 1 waived, 2 untested, 1 inapplicable, 1 errored'
    expect(lines.slice(-7)).toEqual([
      'http://127.0.0.1:1  service-conformance 0.1.0, seed 7',
      'configuration conformance.config.yaml, 1 token',
      `2022-11-28  deviates: ${counts}`,
      `2026-03-10  deviates: ${counts}`,
      'across versions  deviates: 1 failed',
      'deviates, 9 of 15 applicable checks judged (60 %), gate failed',
      'open out/report.html',
    ])
  })

  test.each(['inconclusive', 'conforms'] as const)(
    'a comparison that conforms is green beside versions that conform: %s',
    (verdict) => {
      const crossVersion = { ...noCrossVersion, checks: checksOf('passed', 1) }
      const { run, reports } = sampleRecords({ crossVersion, waivers: [] })
      const lanes = reportLanes({ run, reports: reports.map((report) => ({ ...report, verdict })) })
      expect(verdictStyle('conforms', lanes.slice(-1))).toBe(verdict === 'conforms' ? 'conforms' : 'thin')
    },
  )

  test('a deviation of both versions is shown once, without their names, and waived checks are named', () => {
    expect(lines.filter((line) => line.includes('FAILED events.public.shape'))).toEqual([
      'FAILED events.public.shape and 1 check with the same cause',
    ])
    expect(lines).toContain('  same      versioning.same.types')
    expect(lines.filter((line) => line.startsWith('WAIVED'))).toEqual([expect.stringContaining('events.public.per-page-default')])
  })

  test.each([
    [{ configuration: 'conformance.config.yaml' }, 'doctor'],
    [{ configuration: 'my own.yaml' }, "doctor --config 'my own.yaml'"],
    [{}, 'doctor --base-url http://127.0.0.1:1'],
    [{ reference: true }, 'doctor --reference'],
  ])('the next step finds the target of a run with %j', (setup, command) => {
    const preflight = { target: '', reference: false, tokens: [], notes: [], ...setup }
    const records = sampleRecords({ crossVersion: noCrossVersion, waivers: [], preflight })
    const [step] = renderConclusion(records.run, records.reports, 'out', view).filter((line) => line.startsWith('next step'))
    expect(step).toBe(`next step: npx service-conformance ${command}`)
  })

  test('the terminal and the summary count what untested checks lack alike: a check with each need', () => {
    const missing = [['organization', 'token'], ['organization'], ['token', 'gist'], ['organization', 'gist']]
    const checks = checksOf('untested', missing.length, (index) => ({ reason: lacking(...(missing[index] ?? [])) }))
    const records = { run: sampleRecords({ crossVersion: noCrossVersion }).run, reports: [sampleReport('2026-03-10', checks)] }
    const counts = (text: string) =>
      [...text.matchAll(/^[- ]+(\d+) +(?:no suitable )?`?(organization|token|gist)/gm)].map(([, count, need]) => [need, count])
    const expected = [
      ['organization', '3'],
      ['token', '2'],
      ['gist', '2'],
    ]
    expect(counts(renderConclusion(records.run, records.reports, 'out', view).join('\n'))).toEqual(expected)
    expect(counts(renderMarkdown(records))).toEqual(expected)
  })

  test('no control character of the target reaches the terminal', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
  })

  test('untested checks take five lines by gain, and doctor is the next step', () => {
    const shown = conclude(
      checksOf('untested', 30, (index) => ({ reason: lacking(`need-${Math.floor(Math.sqrt(index))}`) })),
      'inconclusive',
    )
    const from = shown.indexOf('UNTESTED 30 checks:')
    expect(shown.slice(from + 1, from + 8)).toEqual([
      '  9  need-4 not provided',
      '  7  need-3 not provided',
      '  5  need-2 not provided',
      '  5  need-5 not provided',
      '  3  need-1 not provided',
      '  and 1 other cause',
      'next step: npx service-conformance doctor',
    ])
  })

  test.each<[Reason, string]>([
    [{ code: 'left-out', by: 'request-limit' }, 'left out: limit of requests reached'],
    [{ code: 'left-out', by: 'time-limit' }, 'left out: time limit reached'],
    [{ code: 'left-out', by: 'read-only' }, 'left out: the run is read-only'],
  ])('checks that an option left out lack no need: %j', (reason, words) => {
    const shown = conclude(
      checksOf('untested', 2, () => ({ reason })),
      'inconclusive',
    )
    expect(shown).toContain(`  2  ${words}`)
    expect(shown.join('\n')).not.toContain('next step')
  })

  test('an untested check has its cause in a few words', () => {
    const shown = conclude(
      checksOf('untested', 2, () => ({ reason: { code: 'throttled', status: 429 } })),
      'inconclusive',
    )
    expect(shown).toContain('  2  target throttles')
    expect(shown.join('\n')).toContain('next step')
  })

  test.each<[Reason, string]>([
    [{ code: 'nothing-to-examine' }, 'nothing to examine'],
    [{ code: 'unusable-response' }, 'no response to judge by'],
  ])('a check whose response proved nothing has its reason and its name: %j', (reason, words) => {
    const [one] = checksOf('untested', 1)
    const shown = conclude(
      checksOf('untested', 3, (index) => ({ reason, detail: index < 2 ? 'the feed is empty' : '' })),
      'inconclusive',
    )
    const help = (id?: string) => `"npx service-conformance explain ${id}" shows how it passes`
    expect(shown).toContain(`  2  the feed is empty; ${help(one?.id)}`)
    expect(shown.filter((line) => line.startsWith(`  1  ${words}; "npx service-conformance explain `))).toHaveLength(1)
    expect(shown.join('\n')).not.toContain('next step')
  })

  test('a verdict over less than half of the must checks is told to say little', () => {
    const thin = conclude([...checksOf('passed', 1), ...checksOf('untested', 2)], 'conforms')
    expect(thin.slice(-3)).toEqual([
      'conforms, 1 of 3 applicable checks judged (33 %), gate failed',
      expect.stringContaining('says little'),
      'open out/report.html',
    ])
    expect(conclude(checksOf('passed', 2), 'conforms').join('\n')).not.toContain('says little')
  })

  test('a gate that differs from the verdict has its reason beside it, on the terminal and in the summary', () => {
    const outside = 'gate.mustConform leaves out 2 deviations'
    const gate = { ...run.gate, result: 'passed' as const, warnings: [outside] }
    const { reports: judged, ...records } = sampleRecords({ gate })
    expect(renderConclusion(records.run, judged, 'out', view).join('\n')).toContain(`, gate passed: ${outside}\n`)
    expect(renderMarkdown({ ...records, reports: judged })).toContain(`gate **passed: ${outside}**.`)
    expect(renderMarkdown(sampleRecords())).toContain('gate **failed**.')
  })

  test('the reasons of an open verdict precede the verdicts', () => {
    const open = ['2026-03-10: 1 of 3 applicable must checks judged; gate.minJudged requires 50 %']
    const records = sampleRecords({ verdict: 'inconclusive', crossVersion: noCrossVersion, gate: { ...run.gate, open } })
    const shown = renderConclusion(records.run, [sampleReport('2026-03-10', checksOf('passed', 1))], 'out', view)
    const at = shown.indexOf(`inconclusive: ${open[0]}`)
    expect(at).toBeGreaterThan(0)
    expect(at).toBeLessThan(shown.findIndex((line) => line.startsWith('2026-03-10  ')))
    const interrupted = renderConclusion({ ...records.run, interrupted: true }, [], 'out', view)
    expect(interrupted.join('\n')).not.toContain('inconclusive: ')
  })

  test('the checks that an interrupted run did not begin are told apart from those that errored', () => {
    const interrupted = checksOf('errored', 2, () => ({ reason: { code: 'interrupted' } }))
    const later = checksOf('errored', 1234, (index) => ({ id: `events.b.${index}`, reason: { code: 'not-begun' } }))
    const shown = conclude([...interrupted, ...later], 'inconclusive')
    expect(shown).toContain('NOT BEGUN 1,234 checks: run interrupted before the check')
    expect(shown).toContain('ERRORED 2 checks: run interrupted during the check')
    expect(shown).toContain('2026-03-10  inconclusive: 2 errored, 1,234 not begun')
    expect(openReasons([...interrupted, ...later], { strict: false })).toEqual([
      expect.stringMatching(/^2 checks errored: /),
      '1,234 checks not begun',
    ])
    expect(openReasons(later, { strict: false })).toEqual(['1,234 checks not begun'])
    const reports = [sampleReport('2026-03-10', [...interrupted, ...later])]
    expect(renderMarkdown({ run, reports })).toContain('| 💥 2 ❔ 1,234 not begun |')
  })

  test('a run against the embedded reference server says so', () => {
    const preflight = { target: 'GET /events returned 200', reference: true, tokens: [], notes: [] }
    const shown = renderConclusion({ ...run, preflight }, reports, 'out', view)
    expect(shown.at(-7)).toContain('the embedded reference server (http://127.0.0.1:1)')
    expect(shown.at(-6)).toBe('no configuration file; no tokens: requests are sent anonymously')
    const early = renderConclusion({ ...run, preflight: { ...preflight, target: '' } }, reports, 'out', view)
    expect(early.at(-6)).toBe('no configuration file; the tokens were not examined')
  })

  test('hundreds of deviations remain readable', () => {
    const deviation = (index: number) => ({ expected: 'a text', actual: `the number ${index}`, exchanges: ['x1'] })
    const many = conclude(
      checksOf('failed', 300, (index) => ({ deviation: deviation(index) })),
      'deviates',
    )
    expect(many.length).toBeLessThan(150)
    expect(many.filter((line) => line.startsWith('2 of 300 causes in full, 32 in short, all on the page'))).toHaveLength(1)
    expect(many.join('\n')).toContain('; expected a text, actual the number 33')
  })

  test('equal deviations are shown once, at any place of a list, and the other checks are named', () => {
    const found = { expected: 'a text', actual: '7', exchanges: ['x1'] }
    const equal = (index: number) => ({ deviation: { ...found, pointer: `/${index}/id` } })
    const shown = conclude([...checksOf('failed', 9, equal), ...checksOf('warned', 1, equal)], 'deviates')
    expect(shown.filter((line) => /^(FAILED|WARNED| {2}same)/.test(line))).toEqual([
      'FAILED events.a.0 (2026-03-10) and 8 checks with the same cause',
      '  same      1, 2, 3, 5 more',
      'WARNED events.a.0 (2026-03-10)',
    ])
  })

  test.each([
    ['2022-11-28', 1],
    ['2026-03-10', 0],
  ] as const)(
    'the changes of a version that is never served are counted, where the header is ignored: %s',
    (version, expected) => {
      const deviation = { expected: 'a member', actual: 'none', exchanges: [] }
      const ofChanges = checksOf('failed', 2, () => ({ area: 'versioning', deviation }))
      const crossVersion = { ...noCrossVersion, ignoresVersion: { serves: '2026-03-10' } } as const
      const { run } = sampleRecords({ crossVersion })
      const shown = renderConclusion(run, [sampleReport(version, ofChanges)], 'out', view)
      expect(shown[1]).toContain('it returns responses of 2026-03-10 for any requested version')
      expect(shown.filter((line) => line === '1 more cause because of the ignored version header')).toHaveLength(expected)
    },
  )

  test('the failing request is repeated, with its place among the steps', () => {
    const shown = renderConclusion(run, reports, 'out', view).find((line) => line.startsWith('  again'))
    expect(shown).toMatch(/^ {2}again {5}step 2 of 2 \(see --verbose\): curl .*q=x2'$/)
  })
})

describe('effects that were missed', () => {
  const missed = { suspicions: ['events.public: an effect'], durationMs: 3210 }
  const confirmedAs = { check: 'events.public.etag', lane: '2022-11-28' } as const
  const [failed] = checksOf('failed', 1, () => missed)

  /** The conclusion and the summary of a run over some checks, which is provisional unless stated. */
  function shown(checks: CheckRecord[], provisional: { provisional?: true } = { provisional: true }) {
    const records = sampleRecords({ verdict: 'deviates', crossVersion: noCrossVersion, ...provisional })
    const reports = [sampleReport('2026-03-10', checks)]
    return [renderConclusion(records.run, reports, 'out', view).join('\n'), renderMarkdown({ run: records.run, reports })]
  }

  test('are suspicions in a provisional run, with the time for which it looked', () => {
    const [terminal, markdown] = shown(failed ? [failed] : [])
    expect(terminal).toContain('SUSPECTED events.a.0 (2026-03-10)')
    expect(terminal).toContain('  effect    suspected: looked for 3.2 s (events.public: an effect)')
    expect(terminal).toContain('\ndeviates (provisional), 1 of 1 applicable checks judged (100 %), gate failed')
    expect(terminal).toContain('\nProvisional (--quick): ')
    expect(markdown).toContain('# Conformance: deviates (provisional), ')
    expect(markdown).toContain('> Provisional (--quick): ')
    expect(markdown).toContain('suspected: looked for 3.2 s \\(events.public: an effect\\)')
  })

  test('are a cause of untested checks in a provisional run', () => {
    for (const text of shown(checksOf('untested', 2, () => missed)))
      expect(text).toMatch(/ 2 +suspected: an effect was missed, and nothing was confirmed/)
  })

  test.each([
    [{ confirmedAs }, 'confirmed as events.public.etag (2022-11-28), with the same finding (events.public: an effect)', []],
    [
      {},
      'looked for with the whole patience (events.public: an effect)',
      ['  effect    looked for with the whole patience (events.public: an effect)'],
    ],
  ])('are failures in any other run, with how they were confirmed: %j', (change, sentence, lines) => {
    const [terminal, markdown] = shown([{ ...(failed as CheckRecord), ...change }], {})
    expect(terminal).toContain('FAILED events.a.0 (2026-03-10)')
    expect(terminal?.match(/^ {2}effect .*/gm) ?? []).toEqual(lines)
    expect(terminal).not.toContain('rovisional')
    expect(markdown).toContain(sentence.split(' (')[0])
  })
})

test('the choices of the target where the document is silent are counted, and listed by a verbose terminal and the summary', () => {
  expect(lines).toContain('note: your server made 1 choice where the document is silent, none of them wrong; see --verbose')
  for (const text of [
    renderConclusion(run, reports, 'out', { ...view, verbose: true }).join('\n'),
    renderMarkdown({ run, reports }),
  ])
    expect(text).toMatch(/silent.*GET \/events.*unknown event type: .*; also permitted: the documented types/s)
})

test('a verbose terminal gets the lags by their kind, the waits and the requests', () => {
  const requests = {
    lags: [
      { effect: 'notifications.thread: an effect', seen: 1200, missed: 1, slowest: 2.34 },
      { effect: 'migrations.get: an export', seen: 0, missed: 3, slowest: 0 },
    ],
    waited: [{ what: 'a notification', seconds: 118.4 }],
    byEndpoint: Array.from({ length: 31 }, (_, index) => ({ endpoint: `GET /${index}`, count: 9, bytes: 900, p50: 3, p95: 40 })),
  }
  const [first] = reports
  const slow = first ? [{ ...first, requests: { ...first.requests, ...requests } }] : []
  const text = (verbose: boolean) => renderConclusion(run, slow, 'out', { ...view, verbose }).join('\n')
  expect(text(true)).toContain('2.3 s       1,200  1       notifications.thread: an effect')
  expect(text(true)).toContain('never seen  0      3       migrations.get: an export')
  expect(text(true)).toContain('119 s   2022-11-28  a notification')
  expect(text(true)).toMatch(/9 +1 kB +3 ms +40 ms +2022-11-28 +GET \/29\nand 1 more \(report\.json\)/)
  expect(text(false)).not.toContain('never seen')
})
