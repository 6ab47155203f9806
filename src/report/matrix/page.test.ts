import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { barriersOf, browserForTests, chromiumPath } from '../../../fixtures/samples/report/browser.ts'
import { hostile } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords, unpackedText } from '../../../fixtures/samples/run/records.ts'
import type { Outcome } from '../../record/reason.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import { noCrossVersion } from '../../record/run-record.ts'
import { documentRequirements } from '../../spec/requirements.ts'
import { matrixOf } from '../comparison/matrix.ts'
import { renderMatrix } from './page.ts'

const { at, read, write } = temporaryFolder('matrix')
const address = pathToFileURL(at('matrix.html')).href
const openAddress = browserForTests()

/** The sample with another outcome of each failed check. */
function recordsWith(outcome: Outcome) {
  const { run, reports } = sampleRecords()
  const change = (report: RunRecords['reports'][number]) => ({
    ...report,
    checks: report.checks.map((check) => (check.outcome === 'failed' ? { ...check, outcome } : check)),
  })
  return { run, reports: reports.map(change) }
}

beforeAll(() => {
  const runs = [
    { name: 'forge', records: recordsWith('failed') },
    { name: hostile, records: recordsWith('passed') },
    { name: 'depot', records: recordsWith('untested') },
  ]
  write('matrix.html', renderMatrix(matrixOf(runs, documentRequirements), runs))
})

const open = (hash = '', options?: BrowserContextOptions) => openAddress(`${address}${hash}`, options)

const failing = 'events.public.shape'

describe.runIf(chromiumPath)('the page of a matrix in a browser', () => {
  test('each implementation is a column, whose name is text, and the page sends no request', async () => {
    const { page, troubles } = await open()
    expect(await page.locator('thead th strong').allTextContents()).toEqual([
      'forge',
      expect.stringContaining('</script>'),
      'depot',
    ])
    expect(await page.title()).toMatch(/^Comparison of forge, /)
    expect(await page.locator('img').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  test('one click on a red part leads to the deviation with its exchange', async () => {
    const { page, troubles } = await open()
    await page.locator('[data-key="events"] .bar a.failed').first().click()
    const evidence = page.locator('.evidence')
    expect(await evidence.locator('article h3').first().textContent()).toBe('forge')
    expect(await evidence.locator('.exchange pre[aria-label="response"]').first().isVisible()).toBe(true)
    expect(await evidence.locator('.plain').textContent()).toContain('depot')
    expect(page.url()).toContain(`#${failing}`)
    expect(troubles).toEqual([])
  })

  test('rows unfold by keyboard and fold with all rows below them', async () => {
    const { page } = await open()
    const area = page.locator('[data-key="events"] button')
    await area.press('Enter')
    await page.locator('[data-level="1"] button').first().press('Enter')
    expect(await page.locator('[data-level="2"]').count()).toBeGreaterThan(1)
    await area.press('Enter')
    expect(await page.locator('[data-level="1"], [data-level="2"]').count()).toBe(0)
  })

  test('filters leave rows, stay in the address, and a link to a hidden claim removes them', async () => {
    const { page } = await open()
    await page.getByRole('combobox', { name: 'Rows' }).selectOption('only here red')
    await page.getByRole('combobox', { name: 'in' }).selectOption('forge')
    expect(await page.locator('[data-level="2"]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')))).toEqual(
      [failing],
    )
    expect(page.url()).toContain('#?show=only-red&in=0')
    await page.locator('.summary a').last().click()
    await expect.poll(() => page.url()).toContain('show=untested&in=2')
    const { page: hidden } = await open('#?show=only-red&in=1')
    expect(await hidden.locator('tbody [data-key]').count()).toBe(0)
    await hidden.evaluate(`location.hash = '${failing}'`)
    await hidden.locator('.evidence').waitFor()
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('the page is readable in %s at %i pixels', async (colorScheme, width) => {
    const { page } = await open(`#${failing}`, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true })
    expect(await barriersOf(page)).toEqual({ violations: [], overflow: 0 })
  })
})

test('a hostile name is no markup of the page', () => {
  const file = read('matrix.html')
  expect(file.match(/<script/g)).toHaveLength(2)
  expect(file).not.toMatch(/<img|\u202e/)
})

test('the page has the exchanges of deviations, and neither those of passed checks nor the examination before the run', () => {
  const textOf = (outcome: Outcome) => {
    const { run, reports } = recordsWith('failed')
    const alike = reports.map((report) => ({ ...report, checks: report.checks.map((check) => ({ ...check, outcome })) }))
    const runs = [{ name: 'forge', records: { run: { ...run, crossVersion: noCrossVersion }, reports: alike } }]
    return unpackedText(renderMatrix(matrixOf(runs, documentRequirements), runs))
  }
  expect(textOf('failed')).toContain('/events?q=x')
  expect(textOf('passed')).not.toContain('/events?q=x')
  expect(textOf('failed')).not.toContain('"preflight"')
})
