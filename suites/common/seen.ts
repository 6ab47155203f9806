import type { Endpoint } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { distinctBodies, distinctItems, isObject, type JsonObject, type Located } from '../../src/suite/located.ts'

/**
 * Every distinct object that the run has read from an endpoint that returns one, whoever read it and whichever it is. Requests
 * with parameters may ask for less of an object and are left out. For checks that run afterwards.
 */
export function seenAlone(t: CheckContext, endpoint: Endpoint): Located<JsonObject>[] {
  const served = t.recorded(endpoint).filter(({ status, request }) => status === 200 && !request.url.includes('?'))
  return distinctBodies(served).flatMap((exchange) =>
    isObject(exchange.json) ? [{ value: exchange.json, exchange, pointer: '' }] : [],
  )
}

/** Every distinct item that the run has read from an endpoint that returns a list, on whatever page. For checks that run afterwards. */
export function seenInLists(t: CheckContext, endpoint: Endpoint): readonly Located[] {
  return distinctItems(t.recorded(endpoint).filter(({ status }) => status === 200))
}
