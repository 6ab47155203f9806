import { startReferenceServer } from '../../fixtures/reference/server/start.ts'
import type { Config } from '../config/config.ts'

/** Runs `work` on the configured target, or on an embedded reference server where none is configured. */
export async function withTarget<Result>(config: Config, work: (config: Config) => Promise<Result>): Promise<Result> {
  if (config.target.baseUrl !== undefined) return work(config)
  const server = await startReferenceServer()
  try {
    return await work(server.configure(config))
  } finally {
    await server.close()
  }
}
