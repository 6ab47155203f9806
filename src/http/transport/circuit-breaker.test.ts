import { expect, test } from 'vitest'
import { NoAnswer } from '../exchange/no-answer.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

const late = new NoAnswer('no answer within 10 s')

function missed(breaker: CircuitBreaker, endpoint: string, times: number): void {
  for (let time = 0; time < times; time += 1) breaker.failed(endpoint, late)
}

test('a target without a listener is unreachable at once', () => {
  const breaker = new CircuitBreaker()
  breaker.failed('GET /events', new NoAnswer('refused', { unreachable: true }))
  expect(breaker.errorFor('GET /gists')?.message).toBe('refused')
})

test('a target that has sent nothing but malformed answers is not asked again', () => {
  const breaker = new CircuitBreaker()
  breaker.failed('GET /events', new NoAnswer('the answer is not valid HTTP/1.1', { malformed: true }))
  expect(breaker.errorFor('GET /gists')?.message).toBe('the answer is not valid HTTP/1.1')
})

test('a target that never answered is unreachable when a second endpoint is silent', () => {
  const breaker = new CircuitBreaker()
  breaker.failed('GET /events', late)
  expect(breaker.errorFor('GET /events')).toBe(late)
  expect(breaker.errorFor('GET /gists')).toBeUndefined()
  breaker.failed('GET /gists', late)
  expect(breaker.errorFor('GET /notifications')).toBe(late)
})

test('an endpoint is unreachable after four silent requests in a row, and other endpoints are not affected', () => {
  const breaker = new CircuitBreaker()
  breaker.succeeded('GET /gists')
  missed(breaker, 'GET /events', 3)
  expect(breaker.errorFor('GET /events')).toBeUndefined()
  missed(breaker, 'GET /events', 9)
  expect(breaker.errorFor('GET /events')).toBe(late)
  expect(breaker.errorFor('GET /gists')).toBeUndefined()
})

test('an answer in between resets the count of silent requests', () => {
  const breaker = new CircuitBreaker()
  breaker.succeeded('GET /events')
  missed(breaker, 'GET /events', 3)
  breaker.succeeded('GET /events')
  missed(breaker, 'GET /events', 3)
  expect(breaker.errorFor('GET /events')).toBeUndefined()
})

test('a target that answered before is unreachable when several endpoints are silent in a row', () => {
  const breaker = new CircuitBreaker()
  breaker.succeeded('GET /events')
  missed(breaker, 'GET /events', 3)
  missed(breaker, 'GET /gists', 3)
  missed(breaker, 'GET /notifications', 1)
  expect(breaker.errorFor('GET /user/migrations')).toBeUndefined()
  missed(breaker, 'GET /notifications', 1)
  expect(breaker.errorFor('GET /user/migrations')).toBe(late)
})
