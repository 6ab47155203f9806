import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { NoAnswer } from '../../../src/http/exchange/no-answer.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'

/** Observes the target where the document is silent (readings V1, H1), without a verdict. */
export async function observeSilence(t: CheckContext, as: Caller): Promise<void> {
  const spec = { endpoint: changeEndpoints.rateLimit, as }
  await observe(t, 'no version header', { ...spec, version: null }, formOf)
  await observe(t, 'unknown version', { ...spec, version: '1999-01-01' }, formOf)
  await observe(t, 'malformed version', { ...spec, version: 'latest' }, formOf)
  const nowhere = { method: 'GET', path: '/conformance/nowhere' } as const
  await observe(t, 'error body', { ...spec, endpoint: nowhere }, ({ json }) =>
    isObject(json) ? `an object with ${Object.keys(json).sort().join(', ')}` : 'no JSON object',
  )
  await observe(t, 'echoed version', { ...spec, version: latestVersion }, echoOf)
}

async function observe(t: CheckContext, topic: string, spec: RequestSpec, what: (answer: Exchange) => string): Promise<void> {
  try {
    t.observe(topic, what(await t.send(spec)))
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    t.observe(topic, 'no answer')
  }
}

function formOf({ status, json }: Exchange): string {
  if (status !== 200 || !isObject(json)) return `answered ${status}`
  return `answered ${status} in the form of ${'rate' in json ? firstVersion : latestVersion}`
}

/** Headers of an answer that repeat the version that was asked for. */
function echoOf({ response }: Exchange): string {
  const names = response.headers.filter(([, value]) => value.includes(latestVersion)).map(([name]) => name.toLowerCase())
  return names.length === 0 ? 'none' : names.join(', ')
}
