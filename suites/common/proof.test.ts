import { expect, test } from 'vitest'
import { json, scriptedTarget } from '../../fixtures/samples/target/scripted-target.ts'
import { bearer } from '../../src/http/exchange/caller.ts'
import { createContext } from '../../src/run/judge/context.ts'
import { openSession } from '../../src/run/judge/testing/session.ts'
import { isProven } from './proof.ts'

test.each([
  ['classic', 'issued', true],
  ['classic', 'ended', false],
  ['app-user', 'issued', false],
] as const)('where feeds ignore tokens, a %s token that is %s is proven: %s', async (kind, secret, proven) => {
  const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
    const isOpen = url?.startsWith('/user/migrations') !== true || headers.authorization === 'Bearer issued'
    json(response, isOpen ? 200 : 401, [])
  })
  const trace = { subjects: 0, exchanges: new Set<never>(), made: [], given: new Set() }
  const context = createContext(await openSession(baseUrl), trace)
  expect(await isProven(context, { ...bearer(secret, 'TOKEN'), kind })).toBe(proven)
})
