import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { suites } from '../../../suites/index.ts'
import { loadConfig } from '../../config/load.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { waiveCommand } from '../waive.ts'

const catalogue = new Catalogue(suites)

const { read, write } = temporaryFolder('waive')

describe('waive', () => {
  const options = { reason: 'a "quoted" reason', owner: 'mona', link: 'https://tracker.example/7', expires: '2027-01-31' }

  test('waive adds an entry and keeps every comment and every other entry', () => {
    const before = [
      '# mine',
      'areas: [ events ] # two',
      '',
      'waivers:',
      '  # the first',
      '  - check: events.public.status',
      '    reason: r',
      '    owner: o',
      '    link: l',
      '    expires: 2027-01-01 # soon',
      '',
      '# the rest',
      'limits: { concurrency: 2 }',
      '',
    ].join('\n')
    const file = write('waive.yaml', before)
    waiveCommand('events.public.media-type', { ...options, config: file }, catalogue)
    const after = read('waive.yaml')
    const added = after.split('\n').filter((line) => !before.split('\n').includes(line))
    expect(added).toEqual([
      '  - { check: events.public.media-type, reason: a "quoted" reason, owner: mona, link: https://tracker.example/7, expires: 2027-01-31 }',
    ])
    expect(after.replace(`${added[0]}\n`, '')).toBe(before)
    expect(loadConfig(file).waivers).toMatchObject([
      { check: 'events.public.status' },
      { ...options, check: 'events.public.media-type' },
    ])
  })

  test('waive names the file that is in the place of a folder', () => {
    const config = join(write('plain.yaml', ''), 'a.yaml')
    const waive = () => waiveCommand('events.public.media-type', { ...options, config }, catalogue)
    expect(waive).toThrow('plain.yaml is a file; the path of a folder is accepted there')
  })

  test.each([
    ['an empty file', ''],
    ['a file without waivers or a last line end', 'areas: [events]'],
    ['a file of comments', '# nothing yet\n'],
    ['an empty list', 'waivers: []\nareas: [events]\n'],
    ['a list on one line', 'waivers: [{ check: events.public.status, reason: r, owner: o, link: l, expires: 2027-01-01 }]\n'],
  ])('waive works on %s', (name, before) => {
    const file = write(`${name.replaceAll(' ', '-')}.yaml`, before)
    waiveCommand('events.public.media-type', { ...options, config: file, apiVersion: ['2026-03-10'] }, catalogue)
    expect(loadConfig(file).waivers.at(-1)).toMatchObject({
      ...options,
      check: 'events.public.media-type',
      versions: ['2026-03-10'],
    })
  })

  test('waive rejects a second entry and a check that does not exist', () => {
    const file = write('twice.yaml', '')
    waiveCommand('events.public.media-type', { ...options, config: file }, catalogue)
    expect(() => waiveCommand('events.public.media-type', { ...options, config: file }, catalogue)).toThrow('has a waiver of')
    expect(() => waiveCommand('events.public.media-typ', { ...options, config: file }, catalogue)).toThrow(
      'did you mean "events.public.media-type"?',
    )
  })
})
