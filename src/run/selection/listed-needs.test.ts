import { expect, test } from 'vitest'
import { endpoints } from '../../spec/endpoints.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { type CheckDefinition, check } from '../../suite/check.ts'
import { type NeedMap, need, role } from '../../suite/needs.ts'
import { listedNeeds } from './listed-needs.ts'
import type { PlacedCheck } from './selection.ts'

function placed(...definitions: Partial<CheckDefinition<NeedMap>>[]): PlacedCheck[] {
  return definitions.map((definition, index) => {
    const own = check({
      id: `notifications.thread.claim-${index}`,
      requirement: 'none',
      level: 'must',
      title: 'claims something',
      needs: {},
      run: async () => {},
      ...definition,
    })
    return { check: own, suite: { area: 'notifications', endpoint: endpoints.getThread, checks: [own] } }
  })
}

const perVersion = (checks: PlacedCheck[], name: string) =>
  listedNeeds(checks, new Catalogue()).find((asked) => asked.name === name)?.perVersion

test('a consumable counts once for each use, and a value once for each check', () => {
  const checks = placed(
    { needs: { muted: need('muting-thread'), control: need('muting-thread'), shared: need('shared-thread') } },
    { needs: { thread: need('muting-thread'), a: need('shared-thread'), b: need('shared-thread') } },
  )
  expect(perVersion(checks, 'muting-thread')).toEqual({ '2022-11-28': 3, '2026-03-10': 3 })
  expect(perVersion(checks, 'shared-thread')).toEqual({ '2022-11-28': 2, '2026-03-10': 2 })
})

test('a check of one version counts in that version', () => {
  const checks = placed({ needs: { thread: need('unread-thread') }, versions: ['2026-03-10'] })
  expect(perVersion(checks, 'unread-thread')).toEqual({ '2022-11-28': 0, '2026-03-10': 1 })
})

test('needs that a check requests while it runs are listed with its declared needs', () => {
  const checks = placed({ needs: { owner: role('owner') }, asks: ['new-notification'] })
  expect(perVersion(checks, 'new-notification')).toEqual({ '2022-11-28': 1, '2026-03-10': 1 })
})
