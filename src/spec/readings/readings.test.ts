import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../package/root.ts'
import { unknownPlaces } from '../citation.ts'
import { endpoints } from '../endpoints.ts'
import { outline } from '../outline.ts'
import { documentRequirements as requirements } from '../requirements.ts'
import { chapters, readings, readingsOf } from './index.ts'

const ids = readings.map(({ id }) => id)
const letters = chapters.map(({ letter }) => letter)

interface Source {
  /** The path from the project's folder. */
  readonly name: string
  /** The content, comments that go over several lines as one line. */
  readonly text: string
}

/** The files that may cite readings and sections; the page of the readings repeats them all and is left out. */
const sources: readonly Source[] = ['src', 'suites', 'fixtures', 'schemas', 'docs', 'bench']
  .flatMap((folder) => filesBelow(join(packageRoot, folder)))
  .concat(['README.md', 'CONTRIBUTING.md'].map((file) => join(packageRoot, file)))
  .map((path) => ({
    name: relative(packageRoot, path),
    text: readFileSync(path, 'utf8').replace(/\n\s*(?:\*|\/\/|#)?\s*/g, ' '),
  }))
  .filter(({ name }) => name !== 'docs/readings.md' && !name.startsWith('src/spec/readings/'))

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ['.ts', '.yaml', '.json', '.md'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** What a text cites as "readings G3, G4" or "readings D8 to D11": ids, and letters of whole chapters. */
function citedIn(text: string): string[] {
  const lists = [...text.matchAll(/\breadings ([A-HV]\d*\b(?:(?:,| and| to|, and) [A-HV]\d*\b)*)/g)].map(
    (match) => match[1] ?? '',
  )
  return lists.flatMap((list) => list.split(/, and |, | and /)).flatMap(inRange)
}

function inRange(cited: string): string[] {
  const [first = '', last] = cited.split(' to ')
  const [from, to] = [first, last ?? first].map((id) => Number(id.slice(1)))
  return last === undefined
    ? [first]
    : Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, step) => `${first[0]}${(from ?? 0) + step}`)
}

describe('the table of readings', () => {
  test('numbers each chapter from 1 without a gap, under its own letter', () => {
    const expected = chapters.flatMap(({ letter, readings: own }) => own.map((_, index) => `${letter}${index + 1}`))
    expect(ids).toEqual(expected)
    expect(new Set(letters).size).toBe(letters.length)
  })

  test('states whole sentences', () => {
    const sentence = /^[A-Z].*\.$/s
    const texts = readings.flatMap(({ open, judged, caught, uncited }) => [
      open,
      judged,
      caught ?? 'Nothing.',
      uncited ?? 'None.',
    ])
    expect(texts.filter((text) => !sentence.test(text))).toEqual([])
  })

  test('refers to readings that exist', () => {
    const named = readings.flatMap(({ open, judged, caught }) => `${open} ${judged} ${caught}`.match(/\b[A-HV]\d+\b/g) ?? [])
    expect(named.filter((id) => !ids.includes(id))).toEqual([])
  })
})

describe('a citation of a reading', () => {
  test.each([
    ['(readings G3, G4)', ['G3', 'G4']],
    ['(readings D8 to D10)', ['D8', 'D9', 'D10']],
    ['(document: Limits; readings F and G3).', ['F', 'G3']],
    ['the list moved during each of 3 readings', []],
  ])('%s is read as %j', (text, cited) => {
    expect(citedIn(text)).toEqual(cited)
  })

  test('names a reading or a chapter that exists, in every file', () => {
    const unknown = sources.flatMap(({ name, text }) =>
      citedIn(text)
        .filter((id) => !ids.includes(id) && !letters.includes(id))
        .map((id) => `${name} cites ${id}`),
    )
    expect(unknown).toEqual([])
  })

  test('in a requirement names readings that exist, each once and in the order of the chapters', () => {
    const odd = requirements.filter(
      ({ readings: cited = [] }) => String(cited) !== String(ids.filter((id) => cited.includes(id))),
    )
    expect(odd.map(({ id }) => id)).toEqual([])
  })

  test('exists for every reading in a requirement or in code; where none does, the table says why', () => {
    const code = sources.filter(({ name }) => /^(?:src|suites)\/.*(?<!\.test)\.ts$/.test(name))
    const inRequirements = requirements.flatMap(({ readings: cited = [], excluded = '' }) => [...cited, ...citedIn(excluded)])
    const cited = new Set([...code.flatMap(({ text }) => citedIn(text)), ...inRequirements])
    const wrong = readings.filter(({ id, uncited }) => cited.has(id) === (uncited !== undefined)).map(({ id }) => id)
    expect(wrong).toEqual([])
  })
})

describe('the readings of a check', () => {
  test('are those of its requirements, in the order of the chapters', () => {
    const found = readingsOf('events.public.cap', ['events.window.size', 'events.feeds.order']).map(({ id }) => id)
    expect(found).toEqual(['G14', 'C1', 'C16'])
    expect(readingsOf('events.public.cap', [])).toEqual([])
  })

  test('leave out what bears on other checks of the same requirement', () => {
    const read = (aspect: string) => readingsOf(`events.public.${aspect}`, ['limits.per-page-max']).map(({ id }) => id)
    expect(read('per-page-max')).toEqual(['G5', 'A1', 'A5'])
    expect(read('per-page-reachable')).toEqual(['G5', 'A5', 'A9'])
  })
})

describe('a citation of the document', () => {
  test.each([
    'Authentication, rule 7',
    'Versioning, change 16',
    'Polling rules 1 and 2; Errors 304',
    'Resources and their fields, Event, `public`',
    'Versioning, Changes in version 2026-03-10, 21',
  ])('as "%s" names places of the outline', (citation) => {
    expect(unknownPlaces(citation)).toEqual([])
  })

  test.each(['Resources, Event', 'Authentication, rule 8', 'Limits, Feed window', 'Errors 42', 'Versioning, change 22'])(
    'as "%s" names none',
    (citation) => {
      expect(unknownPlaces(citation)).toEqual([citation])
    },
  )

  test('names places of the outline in requirements, endpoints and readings', () => {
    const cited = [...requirements, ...Object.values(endpoints), ...readings].map(({ section }) => section)
    expect([...new Set(cited.flatMap(unknownPlaces))]).toEqual([])
  })

  test('names places of the outline in every comment', () => {
    const wrong = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/\(document: (?!Document,)((?:[^()]|\([^()]*\))*)\)/g)]
        .flatMap((match) => unknownPlaces((match[1] ?? '').replace(/; readings .*$/, '')))
        .map((place) => `${name} cites ${place}`),
    )
    expect(wrong).toEqual([])
  })

  test('leads to files that exist', () => {
    const homes = outline.flatMap((section) => [section, ...(section.parts ?? [])]).flatMap(({ home = [] }) => home)
    expect([...new Set(homes)].filter((home) => !sources.some(({ name }) => name === home))).toEqual([])
  })

  test('never names anything but the document and the readings', () => {
    const foreign = sources.filter(
      ({ name, text }) => !name.endsWith('readings.test.ts') && /\b[Dd]esign(?::| vocabulary)/.test(text),
    )
    expect(foreign.map(({ name }) => name)).toEqual([])
  })
})
