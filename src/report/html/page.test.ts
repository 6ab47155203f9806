import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { barriersOf, browserForTests, chromiumPath } from '../../../fixtures/samples/report/browser.ts'
import { sampleChecks, sampleReport } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords, unpackedText } from '../../../fixtures/samples/run/records.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { lackOf, type Reason } from '../../record/reason.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import { noCrossVersion } from '../../record/run-record.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { renderHtml } from './page.ts'

const { write } = temporaryFolder('html')
const sample = write('report.html', renderHtml(sampleRecords()))
const failing = sampleChecks()[0] as CheckRecord
let pages = 0

const openAddress = browserForTests()

/** Opens the sample, or the page of another file. */
const open = (hash = '', options?: BrowserContextOptions, file = sample) =>
  openAddress(`${pathToFileURL(file).href}${hash}`, options)

/** Opens the page of other records, which has a file of its own. */
function openPageOf(records: RunRecords) {
  pages += 1
  return open('', undefined, write(`page-${pages}.html`, renderHtml(records)))
}

/** The checks that are listed below "All checks", in order. */
const visible = (page: Page) =>
  page.locator('#checks .check:visible').evaluateAll((checks) => checks.map((check) => check.getAttribute('data-id')))

test('a browser is available, or its absence is reported', () => {
  if (chromiumPath) return expect(existsSync(chromiumPath)).toBe(true)
  const missing =
    'no Chromium, so report.html was not opened: install it ("apt-get install chromium") or set CHROMIUM_PATH to its program'
  // Continuous integration installs one, so that there its absence is a failure.
  expect(process.env.BROWSER_TESTS, missing).not.toBe('required')
  process.stderr.write(`\n${missing}\n`)
})

describe.runIf(chromiumPath)('report.html in a browser', () => {
  test('the page shows the verdict first, runs no code of the target and sends no request', async () => {
    const { page, troubles } = await open()
    expect(await page.locator('h1 .verdict').textContent()).toBe('deviates')
    await page.evaluate('for (const lane of document.querySelectorAll("details")) lane.open = true')
    await page.locator('#checks .check').first().waitFor()
    await page.evaluate('for (const lane of document.querySelectorAll("details")) lane.open = true')
    expect(await page.title()).toBe('deviates: http://127.0.0.1:1')
    expect(await page.locator('.coverage').textContent()).toContain('9 of 15 applicable checks judged (60\u00a0%)')
    expect(await page.locator('img').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  test('the page names the configuration of the run, and how the target treated each token', async () => {
    const { page } = await open()
    const setup = page.locator('header .setup')
    expect(await setup.locator('summary').textContent()).toContain('configuration conformance.config.yaml; tokens: owner ')
    await setup.locator('summary').click()
    expect(await setup.locator('tbody td').allTextContents()).toEqual(expect.arrayContaining(['OWNER_TOKEN', 'accepted']))
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

  test('the bar of a version has each outcome by its share, and each lane of it is a filter', async () => {
    const { page } = await open()
    const lanes = page.locator('.lane-card').first().locator('.bar a:visible')
    const found = await lanes.evaluateAll((all) => all.map((one) => [one.className, one.getAttribute('title')]))
    expect(found[0]).toEqual(['failed', '1 failed'])
    expect(found.map(([outcome]) => outcome)).not.toContain('inapplicable')
    await lanes.first().click()
    await expect.poll(() => visible(page)).toEqual(['events.public.shape', 'versioning.same.types'])
  })

  test('each area has a tile with a bar for each version, which leads to the checks of an outcome there', async () => {
    const { page } = await open()
    const tile = page.locator('.tile').first()
    expect(await tile.locator('h2').textContent()).toMatch(/^events\d+ ?.?%$/)
    expect(await tile.locator('.bar').count()).toBe(2)
    await tile.locator('.bar .warned').first().click()
    await expect.poll(() => visible(page)).toEqual(['events.public.order'])
    expect(page.url()).toContain('#?outcome=warned&area=events')
  })

  test.each([1280, 390])('the first failure is on the first screen of %i pixels', async (width) => {
    const { page } = await open('', { viewport: { width, height: 900 } })
    expect(await page.locator('.lane-card').count()).toBe(3)
    expect(await page.evaluate('document.querySelector("#deviations .check").getBoundingClientRect().top')).toBeLessThan(900)
    expect(await page.locator('.lane-card .counts .failed').first().isVisible()).toBe(true)
  })

  test('equal failures are one cause, which a link to one of its checks opens', async () => {
    const { page } = await open('#versioning.same.types')
    expect(await page.locator('#deviations > h2').textContent()).toBe('Deviations: 3 causes, 4 checks')
    const cause = page.locator('#deviations > .cause')
    expect(await cause.locator('> summary .badge').allTextContents()).toEqual([
      '✗ 1 cause, 2 checks (2022-11-28, 2026-03-10, across versions) failed',
    ])
    expect(await cause.locator('.check').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      'events.public.shape',
      'versioning.same.types',
    ])
    expect(await page.locator('[id="versioning.same.types"] .got').isVisible()).toBe(true)
  })

  test('a provisional page names the suspicions, and any page the lags and the waits', async () => {
    const missed = { suspicions: ['events.public: an effect'], durationMs: 3210 }
    const checks = sampleChecks().map((check) => (check.outcome === 'failed' ? { ...check, ...missed } : check))
    const report = sampleReport('2026-03-10', checks)
    const lags = [{ effect: 'notifications.thread: an effect', seen: 12, missed: 1, slowest: 2.34 }]
    const requests = { ...report.requests, lags, waited: [{ what: 'a notification', seconds: 118.4 }] }
    const { run } = sampleRecords({ provisional: true, crossVersion: noCrossVersion })
    const { page, troubles } = await openPageOf({ run, reports: [{ ...report, requests }] })
    expect(await page.locator('h1 .verdict').textContent()).toBe('deviates (provisional)')
    expect(await page.locator('.banner').allTextContents()).toEqual([expect.stringMatching(/^Provisional \(--quick\): /)])
    const [first] = await page.locator('#deviations .judged').allTextContents()
    expect(first).toContain('2026-03-10: suspectedsuspected: looked for 3.2 s (events.public: an effect).')
    expect(await page.locator('#waits td').allTextContents()).toEqual([
      ...['2.3 s', '12', '1', 'notifications.thread: an effect'],
      ...['119 s', '2026-03-10', 'a notification'],
    ])
    expect(troubles).toEqual([])
  })

  test('failures come first, the first is open, and all others have one line', async () => {
    const { page } = await open()
    const found = await page
      .locator('#deviations .check')
      .evaluateAll((all) => all.map((one) => [one.id, one.hasAttribute('open')]))
    expect(found).toEqual([
      ['events.public.shape', true],
      ['versioning.same.types', false],
      ['events.public.order', false],
      ['events.public.per-page-default', false],
    ])
    expect(await visible(page)).toEqual([])
    await page.locator('#area-events .endpoint > summary').click()
    await expect.poll(() => visible(page)).toContain('events.public.status')
  })

  test('the page opens a linked filter and a linked check', async () => {
    const filtered = await open('#?outcome=untested&area=events')
    expect(await visible(filtered.page)).toEqual(['events.public.cap'])
    const linked = await open('#events.public.status')
    expect(await linked.page.locator('#checks details.check[open]').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      'events.public.status',
    ])
    expect(
      await linked.page.evaluate('document.getElementById("events.public.status").getBoundingClientRect().top < innerHeight'),
    ).toBe(true)
  })

  test('a link leads to its place again when the reader has scrolled away', async () => {
    const { page } = await open('', { viewport: { width: 800, height: 300 } })
    const link = page.locator('nav a', { hasText: 'Requirements' })
    for (const attempt of [1, 2]) {
      await page.evaluate('scrollTo(0, 0)')
      await link.click()
      expect(await page.evaluate('scrollY'), `attempt ${attempt}`).toBeGreaterThan(0)
    }
  })

  test('a check opens by keyboard, shows its exchanges once and provides its script', async () => {
    const { page, troubles } = await open('', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.locator('[id="events.public.order"] > summary').focus()
    await page.keyboard.press('Enter')
    const check = page.locator('[id="events.public.order"]')
    await check.locator('.judged').first().locator('.exchange').waitFor()
    expect(await check.getByRole('button', { name: 'Show 1 exchange' }).count()).toBe(0)
    const body = check.locator('.exchange pre[aria-label="response"]').first()
    expect([
      await body.locator('.name').first().textContent(),
      JSON.parse((await body.textContent())?.split('\n\n')[1] ?? ''),
    ]).toEqual(['"id":', expect.anything()])
    await check.locator('.copy').first().click()
    await check.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain('"Authorization: Bearer $OWNER_TOKEN"')
    expect(troubles).toEqual([])
  })

  test('an untested check shows its exchanges on demand', async () => {
    const { page } = await open('#events.public.cap')
    const check = page.locator('[id="events.public.cap"]')
    await check.getByRole('button', { name: 'Show 1 exchange' }).first().click()
    await check.locator('.exchange').first().waitFor()
    expect(await check.locator('.exchange strong').first().textContent()).toBe('GET')
  })

  test('keys step through the deviations, open them and show themselves, and a text field keeps its letters', async () => {
    const { page } = await open()
    const focused = () =>
      page.evaluate('document.activeElement.parentElement.id || document.activeElement.parentElement.className')
    const press = async (key: string) => {
      await page.keyboard.press(key)
      return focused()
    }
    const seen = []
    for (const key of 'jjjjjk') seen.push(await press(key))
    const [shape, types, order] = ['events.public.shape', 'versioning.same.types', 'events.public.order']
    expect(seen).toEqual(['cause', shape, types, order, 'events.public.per-page-default', order])
    const isOpen = page.locator(`[id="${order}"][open]`)
    for (const count of [1, 0]) {
      await page.keyboard.press('o')
      await expect.poll(() => isOpen.count()).toBe(count)
    }
    for (const isShown of [true, false]) {
      await page.keyboard.press('?')
      expect(await page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(isShown)
    }
    for (const key of '/jok/?') await page.keyboard.press(key)
    expect(await page.getByRole('searchbox', { name: 'Text' }).inputValue()).toBe('jok/?')
    expect(await isOpen.count()).toBe(0)
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('the page is readable in %s at %i pixels', async (colorScheme, width) => {
    const { page } = await open('#events.public.shape', { colorScheme, viewport: { width, height: 800 }, bypassCSP: true })
    expect(await barriersOf(page)).toEqual({ violations: [], overflow: 0 })
  })
})

describe.runIf(chromiumPath)('the page of an untested check in a browser', () => {
  test.each<[Reason, string[]]>([
    [
      lackOf([
        { need: 'busy-user', how: 'set needs.busy-user' },
        { need: 'token:owner', kind: 'token', role: 'owner', how: 'add { role: owner } to tokens' },
      ]),
      [
        ...['busy-user not provided', '1', 'set needs.busy-user', '1 id'],
        ...['no token configured for the role owner', '1', 'add { role: owner } to tokens', '1 id'],
      ],
    ],
    [
      lackOf([new Catalogue().unfit({ type: 'need', name: 'organization' }, 'it has no event')]),
      [
        ...['organization was given, but it has no event', '1'],
        ...[expect.stringMatching(/^a fitting value: An organization/), '1 id'],
      ],
    ],
    [
      { code: 'unusable-response' },
      ['no ETag', '1', '"npx service-conformance explain events.public.shape" shows how it passes', '1 id'],
    ],
  ])('the page states the causes of %j and how to remove them', async (reason, cells) => {
    const report = sampleReport('2026-03-10', [{ ...failing, outcome: 'untested', reason, detail: 'no ETag' }])
    const { page } = await openPageOf({ run: sampleRecords().run, reports: [report] })
    expect(await page.locator('#untested tbody td').allTextContents()).toEqual(cells)
    await page.locator('#untested .links > summary').first().click()
    expect(await page.locator('#untested .links a').first().getAttribute('href')).toBe('#events.public.shape')
  })

  test('ten causes are shown, and the reader opens the others', async () => {
    const checks = Array.from({ length: 12 }, (_, index): CheckRecord => {
      const reason = { code: 'unusable-response' } as const
      return { ...failing, id: `events.a.${index}`, outcome: 'untested', reason, detail: `cause ${index}` }
    })
    const { page } = await openPageOf({ run: sampleRecords().run, reports: [sampleReport('2026-03-10', checks)] })
    const rows = page.locator('#untested tbody tr')
    expect(await rows.count()).toBe(10)
    await page.getByText('and 2 more').click()
    await rows.nth(11).waitFor()
    expect(await rows.count()).toBe(12)
    // Regions of a page have different names.
    expect(await page.locator('#untested caption').allTextContents()).toEqual(['Untested: causes', 'Untested: further causes'])
  })
})

describe.runIf(chromiumPath)('the page of a deviation in a browser', () => {
  const requirements = ['events.window.size']

  async function openWith(...checks: CheckRecord[]) {
    const { run } = sampleRecords({ crossVersion: noCrossVersion })
    const versions = ['2022-11-28', '2026-03-10'] as const
    const reports = checks.map((check, index) => sampleReport(versions[index] ?? '2026-03-10', [check]))
    return (await openPageOf({ run, reports })).page
  }

  test('the readings of the requirements are listed with the sentences that state how they are judged', async () => {
    const page = await openWith({ ...failing, id: 'events.public.cap', requirements })
    await page.locator('.readings > summary').click()
    expect(await page.locator('.readings dt').allTextContents()).toEqual(['Reading G14', 'Reading C16'])
    expect(await page.locator('.readings dd').last().textContent()).toContain(
      'Events that are newer than the head of the first page are not counted.',
    )
  })

  test('no list is drawn where no reading belongs to the requirements', async () => {
    const id = 'versioning.delete-installation.status'
    const page = await openWith({ ...failing, id, requirements: ['versioning.change-9'] })
    expect(await page.locator('.readings').count()).toBe(0)
  })

  test('a check that deviates in both versions has one block, with the evidence of the newer one', async () => {
    const evidence = (actual: string) => ({
      ...failing,
      deviation: { expected: 'a list', actual, exchanges: [] },
    })
    const page = await openWith(evidence('a number'), evidence('a text'))
    expect(await page.locator('#deviations .judged h3').allTextContents()).toEqual(['2022-11-28, 2026-03-10: failed'])
    expect(await page.locator('#deviations .got').allTextContents()).toEqual(['a text'])
    expect(await page.locator('#deviations .judged').textContent()).toContain('Under 2022-11-28: a number')
  })
})

test('the page has the readings of deviating checks alone', () => {
  const { run } = sampleRecords({ crossVersion: noCrossVersion })
  const shown = sampleChecks()
    .map((check) => ({ ...check, requirements: ['events.window.size'] }))
    .filter((check) => unpackedText(renderHtml({ run, reports: [sampleReport('2026-03-10', [check])] })).includes('"C16"'))
  expect(shown.map(({ outcome }) => outcome)).toEqual(['failed', 'warned', 'waived'])
})
