import { stringify } from 'yaml'
import { findFault } from '../../../fixtures/reference/faults/index.ts'
import { type RunningServer, startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { findVariant } from '../../../fixtures/reference/variants/index.ts'
import { defaults } from '../../config/defaults.ts'
import { UsageError } from '../../text/errors.ts'
import { writeNamedFile } from './named-file.ts'

/** The options of `serve`, as the command line gives them. */
export interface ServeOptions {
  port?: number | undefined
  fault?: string[] | undefined
  variant?: string[] | undefined
  scale?: number | undefined
  writeConfig?: string | undefined
}

/** Serves the reference server until the process is told to end. Prints one JSON line when ready. Throws for an unknown fault or variant. */
export async function serveCommand(
  { port, fault = [], variant = [], scale = 1, writeConfig }: ServeOptions,
  print: (text: string) => void,
): Promise<void> {
  const tampers = [...fault.map(findFault), ...variant.map(findVariant)]
  const running = await startReferenceServer({ tampers, scale, ...(port === undefined ? {} : { port }) }).catch(portFailure)
  try {
    if (writeConfig !== undefined) writeNamedFile('--write-config', writeConfig, configurationOf(running))
  } catch (error) {
    await running.close()
    throw error
  }
  const { baseUrl, providerUrl } = running
  print(`${JSON.stringify({ ready: true, baseUrl, provider: providerUrl, faults: fault, variants: variant })}\n`)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await running.close()
}

/** Throws {@link UsageError} for a port that cannot be listened on, and anything else as it is. */
function portFailure(error: NodeJS.ErrnoException & { port?: number }): never {
  if (error.code === 'EADDRINUSE')
    throw new UsageError(`--port ${error.port}: another program listens on this port; choose another, or none for a free one`)
  if (error.code === 'EACCES')
    throw new UsageError(`--port ${error.port}: this user may not listen on this port; ports from 1024 on are free to use`)
  throw error
}

/** A configuration that judges this server with everything it offers. Its tokens open nothing else. */
function configurationOf(running: RunningServer): string {
  const { target, tokens, provider, limits } = running.configure(defaults)
  const { requestsPerSecond } = limits
  return `# Judges the embedded reference server that wrote this file.\n${stringify({ target, tokens, provider, limits: { requestsPerSecond } })}`
}
