import type { Config, ReachableConfig } from '../config/config.ts'

/** How the reference server is started. */
export interface ReferenceServerOptions {
  /** A free one unless given. */
  readonly port?: number | undefined
  /** Ids of faults, each of which breaks one requirement; `service-conformance list faults` lists them. */
  readonly faults?: readonly string[] | undefined
  /** Ids of variants, each of which uses a behaviour that the document permits; `service-conformance list variants` lists them. */
  readonly variants?: readonly string[] | undefined
}

/** The reference server while it listens on loopback. */
export interface StartedReferenceServer {
  readonly baseUrl: string
  /** The address of its provider, which creates every need. */
  readonly providerUrl: string
  /** The configuration with the server as its target, and with its tokens and its provider; other settings stay. */
  configure(config: Config): ReachableConfig
  close(): Promise<void>
}

/** Starts the embedded reference server. Throws `UsageError` for an unknown fault or variant, and the error of the port otherwise. */
export async function startReferenceServer(
  options: ReferenceServerOptions = {},
): Promise<StartedReferenceServer> {
  const { port, faults = [], variants = [] } = options
  const { startReferenceServer: start } = await import('../../fixtures/reference/server/start.ts')
  const tampers = await tampersOf(faults, variants)
  const { baseUrl, providerUrl, configure, close } = await start({
    tampers,
    ...(port === undefined ? {} : { port }),
  })
  return { baseUrl, providerUrl, configure, close }
}

/** The faults and variants by id; their tables are loaded only for at least one id. */
async function tampersOf(faults: readonly string[], variants: readonly string[]) {
  if (faults.length + variants.length === 0) return []
  const { findFault } = await import('../../fixtures/reference/faults/index.ts')
  const { findVariant } = await import('../../fixtures/reference/variants/index.ts')
  return [...faults.map(findFault), ...variants.map(findVariant)]
}
