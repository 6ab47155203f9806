import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../package/root.ts'
import { endpoints } from './endpoints.ts'
import { readings } from './readings.ts'
import { documentRequirements as requirements } from './requirements.ts'

const ids = readings.map(({ id }) => id)
const letters = [...new Set(ids.map((id) => id.charAt(0)))]

/** The files that may cite readings and sections. The page of the readings is left out, because it names them all. */
const sources = ['src', 'suites', 'fixtures', 'schemas', 'docs']
  .flatMap((folder) => filesBelow(join(packageRoot, folder)))
  .concat(['README.md', 'CONTRIBUTING.md'].map((file) => join(packageRoot, file)))
  .map((path) => ({
    name: relative(packageRoot, path),
    text: readFileSync(path, 'utf8').replace(/\n\s*(?:\*|\/\/|#)?\s*/g, ' '),
  }))
  .filter(({ name }) => name !== 'docs/readings.md' && !name.startsWith('src/spec/citations'))

function filesBelow(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ['.ts', '.yaml', '.json', '.md'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The ids in "readings G3, G4" and "readings D8 to D11", and the letters of whole chapters. */
function citedIn(text: string) {
  const id = '[A-HV](?:\\d+a?)?\\b'
  const lists = [...text.matchAll(new RegExp(`\\breadings (${id}(?:(?:,| and| to|, and) ${id})*)`, 'g'))].map(
    (match) => match[1] ?? '',
  )
  return lists.flatMap((list) => list.split(/, and |, | and /)).flatMap(inRange)
}

function inRange(cited: string) {
  const [first = '', last] = cited.split(' to ')
  const [from, to] = [first, last ?? first].map((id) => Number(id.slice(1)))
  return last === undefined
    ? [first]
    : Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, step) => `${first[0]}${(from ?? 0) + step}`)
}

describe('a citation of a reading', () => {
  test.each([
    ['(readings G3, G4)', ['G3', 'G4']],
    ['(readings G9a)', ['G9a']],
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

  test('in a requirement names readings that exist, each once and in the order of the page', () => {
    const odd = requirements.filter(
      ({ readings: cited = [] }) => String(cited) !== String(ids.filter((id) => cited.includes(id))),
    )
    expect(odd.map(({ id }) => id)).toEqual([])
  })

  test('exists for every reading in a requirement or in code, unless the page says why not', () => {
    const code = sources.filter(({ name }) => /^(?:src|suites)\/.*(?<!\.test)\.ts$/.test(name))
    const inRequirements = requirements.flatMap(({ readings: cited = [], excluded = '' }) => [...cited, ...citedIn(excluded)])
    const cited = new Set([...code.flatMap(({ text }) => citedIn(text)), ...inRequirements])
    const wrong = readings.filter(({ id, uncited }) => cited.has(id) === (uncited !== undefined)).map(({ id }) => id)
    expect(wrong).toEqual([])
  })
})

/** A place of the document that can be cited: a section, or a part of one. */
interface Place {
  readonly name: string
  /** The section of which it is a part. */
  readonly section?: string
  /** How many numbered rules or rows it has. */
  readonly numbered?: number
  /** The files that state it in this project. */
  readonly home: readonly string[]
}

/** The places, from the table of sections in `docs/document.md`. */
const outline = placesIn(readFileSync(join(packageRoot, 'docs', 'document.md'), 'utf8'))

function placesIn(page: string): Place[] {
  const [table = ''] = /^\| section \|[\s\S]*?\n\n/m.exec(page) ?? []
  const rows = table.trim().split('\n').slice(2)
  let section = ''
  return rows.map((row) => {
    const [, name = '', , numbered, home = ''] = row.split('|').map((cell) => cell.trim())
    const files = [...home.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
    if (!name.startsWith('– ')) section = name
    const place = { ...(numbered && { numbered: Number(numbered) }), home: files }
    return section === name ? { name, ...place } : { name: name.slice(2), section, ...place }
  })
}

/** Numbers of rules, changes or statuses: `rule 7`, `rules 3 and 4`, `change 16`, `304`. */
const numbers = /^(?:(rule|change)s? )?(\d+(?: and \d+)*)$/
/** Words for something inside a place: a column, a list, a field, a permission category. */
const words = /^(?:[a-z][a-z ]*|`\w+`|(?:Organization|Repository|User) permission [\w ]+)$/

/**
 * The places in a citation that the document does not have. Semicolons separate places. A place is a section, a section and its
 * part, or a part alone; numbers of rules, changes or statuses may follow.
 */
function unknownPlaces(citation: string) {
  return citation.split(/;\s*/).filter((place) => place !== 'The whole document' && !isKnown(place))
}

function isKnown(citation: string) {
  const [first = '', ...rest] = citation.split(', ')
  // A name may end with a number of its own.
  const [, name = '', trailing] = named(first) ? ['', first] : (/^(.*?) (\d+(?: and \d+)*)$/.exec(first) ?? ['', first])
  const place = named(name)
  if (place === undefined) return false
  const part = outline.find((each) => each.section === name && each.name === rest[0])
  const details = [...(trailing === undefined ? [] : [trailing]), ...rest.slice(part === undefined ? 0 : 1)]
  return details.every((detail) => isDetail(part ?? place, detail))
}

function named(name: string) {
  return outline.find((place) => place.name === name)
}

/** True for words, or for numbers of rules, rows or changes that the place has; other numbers are statuses. */
function isDetail(place: Place, detail: string) {
  const [, kind, list] = numbers.exec(detail) ?? []
  if (list === undefined) return words.test(detail)
  const most = kind === 'change' ? named('Changes in version 2026-03-10')?.numbered : place.numbered
  return list.split(' and ').every((number) => isNumberOf(Number(number), most))
}

function isNumberOf(number: number, most: number | undefined) {
  return most === undefined ? number >= 100 && number < 600 : number >= 1 && number <= most
}

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
      [...text.matchAll(/\(document: (?!Document[,)])((?:[^()]|\([^()]*\))*)\)/g)]
        .flatMap((match) => unknownPlaces((match[1] ?? '').replace(/; readings .*$/, '')))
        .map((place) => `${name} cites ${place}`),
    )
    expect(wrong).toEqual([])
  })

  test('never names anything but the document and the readings', () => {
    const foreign = sources.filter(({ text }) => /\b[Dd]esign(?::| vocabulary)/.test(text))
    expect(foreign.map(({ name }) => name)).toEqual([])
  })
})

describe('docs/document.md', () => {
  test('lists the ten sections, their 23 parts and the files that state them', () => {
    expect(outline.filter(({ section }) => section === undefined)).toHaveLength(10)
    expect(outline).toHaveLength(33)
    const files = [...new Set(outline.flatMap(({ home }) => home))]
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter((file) => !existsSync(join(packageRoot, file)))).toEqual([])
  })
})
