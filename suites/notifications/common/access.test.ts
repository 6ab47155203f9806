import { expect, test } from 'vitest'
import { checksOf, judgeReference, noticed } from '../../../fixtures/proof/judge-reference.ts'
import { refusal } from '../../../fixtures/reference/server/protocol/message.ts'
import type { Tamper } from '../../../fixtures/reference/server/state/tamper.ts'

const thirtyAtMost: Tamper = {
  id: 'thirty-at-most',
  story: 'GET /notifications rejects more than 30 threads per page.',
  endpoints: ['GET /notifications'],
  reply: (answer, { query }) => (Number(query.get('per_page')) > 30 ? refusal(422, 'per_page is too large') : answer),
}

test('who may mark threads is not blamed for a list that refuses its page size', async () => {
  const checks = checksOf(['notifications']).filter(
    ({ check }) => check.id.includes('.mark-') && check.requirement.startsWith('notifications.access.'),
  )
  const records = await judgeReference({ version: '2026-03-10', tampers: [thirtyAtMost], checks })
  expect(records.map(({ id }) => id)).toContain('notifications.mark-inbox.anonymous')
  expect(noticed(records)).toEqual([])
})
