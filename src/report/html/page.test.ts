import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleChecks, sampleRecords, sampleReport } from '../../../fixtures/samples/report-sample.ts'
import { renderHtml } from './page.ts'

const places = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = places.find((place) => place !== undefined && existsSync(place))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'service-conformance-html-'))
const file = join(folder, 'report.html')
let browser: Browser

beforeAll(async () => {
  if (!executablePath) return
  writeFileSync(file, renderHtml(sampleRecords()))
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens the page; `troubles` are its console errors, uncaught errors and requests to anywhere but its own file. */
async function open(hash = '', options: BrowserContextOptions = {}): Promise<{ page: Page; troubles: string[] }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const troubles: string[] = []
  const address = pathToFileURL(file).href
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()))
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => request.url().split('#')[0] !== address && troubles.push(request.url()))
  await page.goto(`${address}${hash}`)
  return { page, troubles }
}

const visible = (page: Page) => page.locator('.check:visible').evaluateAll((checks) => checks.map(({ id }) => id))

test('a browser is available, or its absence is reported', () => {
  if (executablePath) return expect(existsSync(executablePath)).toBe(true)
  const missing =
    'no Chromium, so report.html was not opened: install it ("apt-get install chromium") or set CHROMIUM_PATH to its program'
  // Continuous integration installs one, so that there its absence is a failure.
  expect(process.env.BROWSER_TESTS, missing).not.toBe('required')
  process.stderr.write(`\n${missing}\n`)
})

describe.runIf(executablePath)('report.html in a browser', () => {
  test('the page shows the verdict first, runs no code of the target and sends no request', async () => {
    const { page, troubles } = await open()
    expect(await page.locator('h1 .verdict').textContent()).toBe('deviates')
    await page.evaluate('for (const check of document.querySelectorAll(".check")) check.open = true')
    expect(await page.title()).toBe('deviates: http://127.0.0.1:1')
    expect(await page.locator('img').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  test('the page filters by outcome, area and text and keeps the filter in its URL', async () => {
    const { page } = await open()
    await page.getByRole('checkbox', { name: 'warned' }).check()
    expect(await visible(page)).toEqual(['events.public.order'])
    expect(page.url()).toContain('#?outcome=warned')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('combobox', { name: 'Area' }).selectOption('notifications')
    expect(await visible(page)).toEqual(['events.public.inbox'])
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('searchbox', { name: 'Text' }).fill('CAP feed')
    expect(await visible(page)).toEqual(['events.public.cap'])
    expect(await page.locator('#shown').textContent()).toBe('1 of 9 checks')
  })

  test('the page opens a linked filter and a linked check', async () => {
    const filtered = await open('#?outcome=untested&area=events')
    expect(await visible(filtered.page)).toEqual(['events.public.cap'])
    const linked = await open('#events.public.shape')
    expect(await linked.page.locator('details.check[open]').evaluateAll((open) => open.map(({ id }) => id))).toEqual([
      'events.public.shape',
    ])
  })

  test('a check opens by keyboard, shows its exchanges and provides its script', async () => {
    const { page, troubles } = await open('', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.locator('[id="events.public.shape"] > summary').focus()
    await page.keyboard.press('Enter')
    const check = page.locator('[id="events.public.shape"]')
    await check.getByRole('button', { name: 'Show 2 exchanges' }).first().click()
    await check.locator('.judged').first().locator('.exchange').nth(3).waitFor()
    await check.locator('.copy').first().click()
    await check.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain('"Authorization: Bearer $TOKEN_OWNER"')
    expect(troubles).toEqual([])
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('the page is readable in %s at %i pixels', async (colorScheme, width) => {
    const { page } = await open('#events.public.shape', { colorScheme, viewport: { width, height: 800 }, bypassCSP: true })
    await page.evaluate(axe)
    const found = (await page.evaluate('axe.run()')) as {
      violations: { id: string; impact: string; nodes: { html: string }[] }[]
    }
    const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
  })
})

test('a page with 1,500 checks and their exchanges remains small', () => {
  const many = Array.from({ length: 188 }, (_, index) =>
    sampleChecks().map((check) => ({ ...check, id: `${check.id}-${index}` })),
  ).flat()
  const { run } = sampleRecords()
  const page = renderHtml({ run, reports: [sampleReport('2022-11-28', many), sampleReport('2026-03-10', many)] })
  expect(page.match(/<details class="check"/g)?.length).toBeGreaterThan(1500)
  expect(page.length).toBeLessThan(6_000_000)
})
