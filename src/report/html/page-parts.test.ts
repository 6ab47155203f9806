import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { browserForTests, chromiumPath } from '../../../fixtures/samples/report/browser.ts'
import { sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { suites } from '../../../suites/index.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { lackOf } from '../../record/reason.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import type { PermissionCell } from '../../record/run-record.ts'
import { noCrossVersion } from '../../record/run-record.ts'
import { factsOf } from '../../run/judge/judge.ts'
import { withRequirements } from '../../run/records/assess-requirements.ts'
import { buildReport } from '../../run/records/build-report.ts'
import { allChecks } from '../../run/selection/selection.ts'
import { documentRequirements } from '../../spec/requirements.ts'
import { apiVersions } from '../../spec/versions.ts'
import { renderHtml } from './page.ts'

const { write } = temporaryFolder('html')
let pages = 0

const openAddress = browserForTests()

/** Opens the page of some records. */
async function openPageOf(records: RunRecords) {
  pages += 1
  const { page } = await openAddress(pathToFileURL(write(`page-${pages}.html`, renderHtml(records))).href)
  return page
}

/** A run over both versions in which every sample check occurs many times. */
function manyChecks(times: number, chosen: (check: CheckRecord) => boolean) {
  const checks = Array.from({ length: times }, (_, index) =>
    sampleChecks()
      .filter(chosen)
      .map((check) => ({ ...check, id: `${check.id}-${index}`, endpoint: `GET /events/${index % 60}` })),
  ).flat()
  return { run: sampleRecords().run, reports: [sampleReport('2022-11-28', checks), sampleReport('2026-03-10', checks)] }
}

/** A run in which every check of the suite passed in both versions, each on four exchanges. */
function greenRun() {
  const placed = allChecks(suites)
  const { exchanges, requirements: _all, ...frame } = sampleReport('2022-11-28', [])
  const { headers: _, ...request } = exchanges[0]?.request ?? { method: 'GET', url: '' }
  const made = placed.map(({ check, suite }, index) => {
    const ids = [1, 2, 3, 4].map((step) => `x${4 * index + step}`)
    const record = { ...factsOf(check, suite), missing: [], subjects: index % 90, durationMs: index % 999, exchanges: ids }
    return { ...record, outcome: 'passed', detail: '' } as const
  })
  const own = made.flatMap(({ exchanges: ids, endpoint }) =>
    ids.map((id) => ({ id, endpoint, as: 'OWNER', durationMs: 3, request, response: { status: 200, bodyBytes: 90 } })),
  )
  const outcome = {
    records: new Map(made.map((record) => [record.id, record])),
    leftBehind: [],
    result: { ...frame, exchanges: own, differences: [] },
  }
  const limits = { strict: false, minJudged: 50 }
  const reports = apiVersions.map((apiVersion) =>
    withRequirements(buildReport(placed, outcome, { ...frame, apiVersion, limits, baseUrl: '' }), [], documentRequirements),
  )
  return { run: sampleRecords({ crossVersion: { ...noCrossVersion, checks: made.slice(0, 125) } }).run, reports }
}

test('the page of a run in which all checks passed in both versions is below one megabyte', () => {
  const records = greenRun()
  expect(JSON.stringify(records).length).toBeGreaterThan(3_500_000)
  expect(renderHtml(records).length).toBeLessThan(800_000)
})

describe.runIf(chromiumPath)('a large report in a browser', () => {
  test('a passed check names the file with its exchanges, and the page has none of them', async () => {
    const page = await openPageOf(greenRun())
    await page.evaluate('location.hash = "events.public.status"')
    const judged = page.locator('[id="events.public.status"] .judged')
    await judged.first().waitFor()
    expect(await judged.allTextContents()).toEqual(
      [...apiVersions.map((version) => `${version}/report.json`), 'run.json'].map((file) =>
        expect.stringMatching(`Its exchanges are in ${file}.$`),
      ),
    )
    expect(await page.content()).not.toContain('x8000')
  })

  test.each([
    ['1,600 passed checks', manyChecks(1600, ({ outcome }) => outcome === 'passed'), 1500, 2],
    ['300 failed checks', manyChecks(300, ({ outcome }) => outcome === 'failed'), 8000, 10],
  ])('%s make few elements, and paper shows the summary and the deviations', async (_, records, elements, sheets) => {
    const page = await openPageOf(records)
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(elements)
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page[^s]/g)?.length).toBeLessThanOrEqual(sheets)
  })
})

test.runIf(chromiumPath)('the page of a watch shows the newest run when the reader returns', async () => {
  const recordsOf = (verdict: 'conforms' | 'deviates') => ({ run: sampleRecords({ verdict }).run, reports: [], isWatched: true })
  const page = await openPageOf(recordsOf('deviates'))
  writeFileSync(fileURLToPath(page.url()), renderHtml(recordsOf('conforms')))
  await page.evaluate('for (const type of ["blur", "focus"]) dispatchEvent(new Event(type))')
  await page.waitForFunction('document.title.startsWith("conforms")')
})

test.runIf(chromiumPath)('checks that an interrupted run did not begin are untested, and the verdict stays', async () => {
  const reason = { code: 'not-begun' } as const
  const later = sampleChecks().map((check, index) => ({
    ...check,
    id: `${check.id}-${index}`,
    outcome: 'errored' as const,
    reason,
  }))
  const absent = { ...(sampleChecks()[0] as CheckRecord), id: 'events.a.absent', outcome: 'inapplicable' as const, reason }
  const passed = [...sampleChecks().filter(({ outcome }) => outcome === 'passed'), absent]
  const { run } = sampleRecords({ crossVersion: noCrossVersion, interrupted: true })
  const page = await openPageOf({ run, reports: [sampleReport('2026-03-10', [...passed, ...later])] })
  expect(await page.locator('header .errored, #errored').count()).toBe(0)
  expect(await page.locator('.lane-card .counts').textContent()).toContain(`? ${later.length} not begun`)
  expect(await page.locator('.lane-card .verdict').textContent()).toBe('inconclusive')
  expect(await page.locator('#untested td').first().textContent()).toBe('run interrupted before the check')
})

test.runIf(chromiumPath)('the difference between the expected and the actual value is marked in whole words', async () => {
  const deviation = { expected: 'only threads of 2026-11-20', actual: 'only threads of 2026-11-25', exchanges: [] }
  const records = manyChecks(1, ({ outcome }) => outcome === 'failed')
  for (const report of records.reports) report.checks = report.checks.map((check) => ({ ...check, deviation }))
  const page = await openPageOf(records)
  const marks = page.locator('#deviations .deviation').first().locator('mark')
  expect(await marks.allTextContents()).toEqual(['20', '25'])
})

/** A cell of the permission map: an endpoint, a token kind, a level and a state. */
function cellOf(row: string, tokenKind: string, access: string, cell: PermissionCell['cell']) {
  return { owner: 'organization', category: 'Blocking users', row, tokenKind, access, cell }
}

describe.runIf(chromiumPath)('the permission map in a browser', () => {
  const [list, block] = ['GET /orgs/{org}/blocks', 'PUT /orgs/{org}/blocks/{username}']
  const sound = [
    cellOf(list, 'app-user', 'none', 'refused'),
    cellOf(list, 'app-user', 'read', 'granted'),
    cellOf(list, 'fine-grained', 'none', 'refused'),
    cellOf(block, 'app-user', 'read', 'undecided'),
  ]

  /** The page of a run with one map for each version. */
  function openMaps(...maps: readonly (readonly PermissionCell[])[]) {
    const reports = maps.map((permissions, index) => ({
      ...sampleReport(apiVersions[index] ?? '2026-03-10', []),
      permissions: [...permissions],
    }))
    return openPageOf({ run: sampleRecords({ crossVersion: noCrossVersion }).run, reports })
  }

  test('each endpoint has a square for each token kind, with the worst of its states in words', async () => {
    const page = await openMaps(sound, sound)
    expect(await page.locator('#permissions h3').allTextContents()).toEqual(['2022-11-28, 2026-03-10'])
    const squares = page.locator('#permissions .squares .square')
    expect(await squares.evaluateAll((all) => all.map((one) => [one.className, one.getAttribute('aria-label')]))).toEqual([
      ['square granted', `${list}, app-user: refused without the permission, granted with read`],
      ['square refused', `${list}, fine-grained: refused without the permission`],
      ['square undecided', `${block}, app-user: undecided with read`],
      ['square', null],
    ])
    expect(await page.locator('#permissions .wrong').count()).toBe(0)
  })

  test('the pointer, the focus and the arrow keys show the words of a square, with a link to its checks', async () => {
    const page = await openMaps(sound)
    const [words, squares] = [page.locator('#permissions .words'), page.locator('#permissions .squares button')]
    expect(await words.textContent()).toContain('its squares are, from the top: app-user, fine-grained.')
    await squares.nth(1).hover()
    expect(await words.textContent()).toContain(`${list}, fine-grained: refused`)
    await squares.first().focus()
    expect(await words.textContent()).toContain('granted with read')
    await page.keyboard.press('ArrowRight')
    expect(await words.textContent()).toContain(`${block}, app-user: undecided with read`)
    expect(await words.locator('a').getAttribute('href')).toBe(`#?${new URLSearchParams({ text: block })}`)
    expect(await squares.evaluateAll((all) => all.map((one) => one.getAttribute('tabindex')))).toEqual(['-1', '-1', '0'])
  })

  test('a sentence with the most frequent cause replaces a map without a verdict', async () => {
    const reason = lackOf([{ need: 'token', kind: 'token', how: 'add one' }])
    const untested = { ...(sampleChecks()[0] as CheckRecord), area: 'permissions', outcome: 'untested', reason } as const
    const report = { ...sampleReport('2026-03-10', [untested]), permissions: [cellOf(list, 'app-user', 'none', 'undecided')] }
    const page = await openPageOf({ run: sampleRecords({ crossVersion: noCrossVersion }).run, reports: [report] })
    expect(await page.locator('#permissions > :not(h2)').allTextContents()).toEqual([
      'No grant or refusal was judged: no suitable token configured.',
    ])
  })

  test('deviating permissions are listed in words, and maps that differ are drawn apart', async () => {
    const wrong = cellOf(block, 'app-user', 'none', 'too-permissive')
    const page = await openMaps(sound, [...sound, wrong])
    expect(await page.locator('#permissions h3').allTextContents()).toEqual(['2022-11-28', '2026-03-10'])
    expect(await page.locator('#permissions .wrong li').allTextContents()).toEqual([
      `${block}, app-user: too permissive without the permission, undecided with read`,
    ])
    expect(await page.locator('#permissions .legend').last().textContent()).toContain('▲ 1 too permissive')
  })
})
