import { createRequire } from 'node:module'
import type * as Undici from 'undici'

// The parts of undici that send requests: all of it takes as long to load as the checks of two areas. Its version is pinned.
const load = createRequire(import.meta.url)

export const Client: typeof Undici.Client = load('undici/lib/dispatcher/client.js')
export const Agent: typeof Undici.Agent = load('undici/lib/dispatcher/agent.js')
export const buildConnector: typeof Undici.buildConnector = load('undici/lib/core/connect.js')
export const errors: typeof Undici.errors = load('undici/lib/core/errors.js')

type Options = Undici.Dispatcher.RequestOptions & { readonly dispatcher: Undici.Dispatcher }
const api: {
  request(this: Undici.Dispatcher, options: Undici.Dispatcher.RequestOptions): Promise<Undici.Dispatcher.ResponseData>
} = load('undici/lib/api/index.js')

/** Sends one request. */
export function request(
  url: string,
  { dispatcher, ...options }: Omit<Options, 'origin' | 'path'>,
): Promise<Undici.Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url)
  return api.request.call(dispatcher, { ...options, origin, path: `${pathname}${search}` })
}
