import { expect, test } from 'vitest'
import { NoAnswer } from '../exchange/no-answer.ts'
import { Silence } from './silence.ts'

const late = new NoAnswer('no answer within 10 s')

function missed(silence: Silence, endpoint: string, times: number): void {
  for (let time = 0; time < times; time += 1) silence.unheard(endpoint, late)
}

test('a target without a listener is unreachable at once', () => {
  const silence = new Silence()
  silence.unheard('GET /events', new NoAnswer('refused', { unreachable: true }))
  expect(silence.of('GET /gists')?.message).toBe('refused')
})

test('a target that has sent nothing but malformed answers is not asked again', () => {
  const silence = new Silence()
  silence.unheard('GET /events', new NoAnswer('the answer is not valid HTTP/1.1', { malformed: true }))
  expect(silence.of('GET /gists')?.message).toBe('the answer is not valid HTTP/1.1')
})

test('a target that never answered is unreachable when a second endpoint is silent', () => {
  const silence = new Silence()
  silence.unheard('GET /events', late)
  expect(silence.of('GET /events')).toBe(late)
  expect(silence.of('GET /gists')).toBeUndefined()
  silence.unheard('GET /gists', late)
  expect(silence.of('GET /notifications')).toBe(late)
})

test('an endpoint is unreachable after four silent requests in a row, and other endpoints are not affected', () => {
  const silence = new Silence()
  silence.heard('GET /gists')
  missed(silence, 'GET /events', 3)
  expect(silence.of('GET /events')).toBeUndefined()
  missed(silence, 'GET /events', 9)
  expect(silence.of('GET /events')).toBe(late)
  expect(silence.of('GET /gists')).toBeUndefined()
})

test('an answer in between resets the count of silent requests', () => {
  const silence = new Silence()
  silence.heard('GET /events')
  missed(silence, 'GET /events', 3)
  silence.heard('GET /events')
  missed(silence, 'GET /events', 3)
  expect(silence.of('GET /events')).toBeUndefined()
})

test('a target that answered before is unreachable when several endpoints are silent in a row', () => {
  const silence = new Silence()
  silence.heard('GET /events')
  missed(silence, 'GET /events', 3)
  missed(silence, 'GET /gists', 3)
  missed(silence, 'GET /notifications', 1)
  expect(silence.of('GET /user/migrations')).toBeUndefined()
  missed(silence, 'GET /notifications', 1)
  expect(silence.of('GET /user/migrations')).toBe(late)
})
