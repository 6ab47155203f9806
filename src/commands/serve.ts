import { findFault } from '../../fixtures/faults/index.ts'
import { startReferenceServer } from '../../fixtures/server/start.ts'
import { findVariant } from '../../fixtures/variants/index.ts'

/** The options of `serve`, as the command line gives them. */
export interface ServeOptions {
  port?: number
  fault?: string[]
  variant?: string[]
}

/** Serves the reference server until the process is told to end. Prints one JSON line when ready. Throws for an unknown fault or variant. */
export async function serveCommand({ port, fault = [], variant = [] }: ServeOptions): Promise<void> {
  const tampers = [...fault.map(findFault), ...variant.map(findVariant)]
  const running = await startReferenceServer({ tampers, ...(port === undefined ? {} : { port }) })
  const { baseUrl, providerUrl } = running
  process.stdout.write(`${JSON.stringify({ ready: true, baseUrl, provider: providerUrl, faults: fault, variants: variant })}\n`)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await running.close()
}
