import { describe, expect, test } from 'vitest'
import { NoResponse } from '../../exchange/no-response.ts'
import { CircuitBreaker } from './caller-gate.ts'

const now = () => 0
const late = new NoResponse('no response within 10 s', { timedOut: true })
const lost = new NoResponse('the target closed the connection', { dropped: true })

function missed(breaker: CircuitBreaker, endpoint: string, times: number) {
  for (let time = 0; time < times; time += 1) breaker.recordFailure(endpoint, lost, now)
}

test('a target without a listener is unreachable at once', () => {
  const breaker = new CircuitBreaker(10_000)
  breaker.recordFailure('GET /events', new NoResponse('refused', { unreachable: true }), now)
  expect(breaker.errorFor('GET /gists', now)?.message).toBe('refused')
})

test('a target that has sent only malformed responses gets no further request', () => {
  const breaker = new CircuitBreaker(10_000)
  breaker.recordFailure('GET /events', new NoResponse('the response is not valid HTTP/1.1', { malformed: true }), now)
  expect(breaker.errorFor('GET /gists', now)?.message).toBe('the response is not valid HTTP/1.1')
})

test('a target that never answered is unreachable when a second endpoint is silent', () => {
  const breaker = new CircuitBreaker(10_000)
  breaker.recordFailure('GET /events', late, now)
  expect(breaker.errorFor('GET /events', now)).toBe(late)
  expect(breaker.errorFor('GET /gists', now)).toBeUndefined()
  breaker.recordFailure('GET /gists', late, now)
  expect(breaker.errorFor('GET /notifications', now)).toBe(late)
})

test('an endpoint is unreachable after four silent requests in a row, and other endpoints are not affected', () => {
  const breaker = new CircuitBreaker(10_000)
  breaker.recordSuccess('GET /gists')
  missed(breaker, 'GET /events', 3)
  expect(breaker.errorFor('GET /events', now)).toBeUndefined()
  missed(breaker, 'GET /events', 9)
  expect(breaker.errorFor('GET /events', now)).toBe(lost)
  expect(breaker.errorFor('GET /gists', now)).toBeUndefined()
})

test('a response in between resets the count of silent requests', () => {
  const breaker = new CircuitBreaker(10_000)
  breaker.recordSuccess('GET /events')
  missed(breaker, 'GET /events', 3)
  breaker.recordSuccess('GET /events')
  missed(breaker, 'GET /events', 3)
  expect(breaker.errorFor('GET /events', now)).toBeUndefined()
})

describe('a target that answered before', () => {
  /** A breaker after the loss of eight requests to three endpoints, at the time 0. */
  function silenced() {
    const breaker = new CircuitBreaker(10_000)
    breaker.recordSuccess('GET /events')
    missed(breaker, 'GET /events', 4)
    missed(breaker, 'GET /gists', 3)
    missed(breaker, 'GET /notifications', 1)
    return breaker
  }

  test('delays requests when several endpoints are silent in a row, and is probed every two seconds', () => {
    const breaker = silenced()
    expect(breaker.waitFor(() => 500)).toBe(1500)
    expect(breaker.waitFor(() => 2000)).toBe(0)
    expect(breaker.waitFor(() => 2000)).toBe(2000)
    expect(breaker.errorFor('GET /events', () => 2000)).toBeUndefined()
  })

  test('receives all requests again as soon as it has responded', () => {
    const breaker = silenced()
    breaker.recordSuccess('GET /user/migrations')
    expect(breaker.waitFor(() => 2000)).toBe(0)
    expect(breaker.errorFor('GET /events', () => 2000)).toBeUndefined()
  })

  test('is given up after six time-outs of silence', () => {
    const breaker = silenced()
    expect(breaker.waitFor(() => 60_000)).toBe(0)
    expect(breaker.errorFor('GET /user/migrations', () => 60_000)).toBeUndefined()
    expect(breaker.waitFor(() => 62_001)).toBe(0)
    expect(breaker.errorFor('GET /user/migrations', () => 62_001)?.message).toBe(lost.message)
  })

  test('loses one endpoint only for two seconds, unless its requests run into time-outs', () => {
    const breaker = new CircuitBreaker(10_000)
    breaker.recordSuccess('GET /gists')
    missed(breaker, 'GET /events', 4)
    for (let time = 0; time < 4; time += 1) breaker.recordFailure('GET /feeds', late, now)
    expect([1999, 2000, 2001].map((time) => breaker.errorFor('GET /events', () => time))).toEqual([lost, undefined, lost])
    expect(breaker.errorFor('GET /feeds', () => 30_000)).toBe(late)
  })
})

test('a server that has sent nothing but temporary errors is asked again', () => {
  const breaker = new CircuitBreaker(10_000)
  for (const endpoint of ['GET /events', 'GET /gists'])
    breaker.recordFailure(endpoint, new NoResponse('answered 503', { status: 503 }), now)
  expect(breaker.errorFor('GET /gists', now)).toBeUndefined()
})
