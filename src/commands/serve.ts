import { once } from 'node:events'
import type { Command } from '@commander-js/extra-typings'
import type { RunningServer } from '../../fixtures/reference/server/start.ts'
import { defaults } from '../config/config.ts'
import { UsageError } from '../text/errors.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  oneOf,
  portNumber,
  positiveInteger,
  repeatable,
} from './common/command.ts'
import { writeOptionFile } from './common/option-file.ts'

/** `serve`: the embedded reference server on its own. */
export function define(command: Command, { print }: CommandContext) {
  return command
    .option('--port <n>', 'port to listen on (default: 0, a free one)', portNumber)
    .addOption(repeatable('--fault <id>', 'break a requirement (repeatable)', (text) => text))
    .addOption(
      repeatable(
        '--variant <id>',
        'use a behaviour that the document permits (repeatable)',
        (text) => text,
      ),
    )
    .option('--like <profile>', 'behave like a server in use: production', oneOf(['production']))
    .option(
      '--scale <n>',
      'serve n times as many events, threads and repositories (default: 1)',
      positiveInteger,
    )
    .option('--write-config <file>', 'write a configuration that judges this server')
    .addHelpText('after', example('serve --port 8080 --fault events.public.no-etag'))
    .action(async (options) => void (await serveCommand(options, print)))
}

/** Serves the reference server until a signal ends the process. Prints one JSON line when ready, and one with its counts of requests at the end. Throws for an unknown fault or variant. */
async function serveCommand(
  { port, fault = [], variant = [], like, scale = 1, writeConfig }: OptionsOf<typeof define>,
  print: (text: string) => void,
) {
  const { findFault } = await import('../../fixtures/reference/faults/index.ts')
  const { findVariant } = await import('../../fixtures/reference/variants/index.ts')
  const { productionVariants } = await import(
    '../../fixtures/reference/variants/production/index.ts'
  )
  const { startReferenceServer } = await import('../../fixtures/reference/server/start.ts')
  const { stringify } = await import('yaml')
  const liberties = [...variant.map(findVariant), ...(like === undefined ? [] : productionVariants)]
  const variants = liberties.map(({ id }) => id)
  const tampers = [...fault.map(findFault), ...liberties]
  const running = await startReferenceServer({
    tampers,
    scale,
    ...(port === undefined ? {} : { port }),
  }).catch(refusePort)
  try {
    if (writeConfig !== undefined) {
      // These tokens are valid nowhere else.
      const { target, tokens, provider, limits } = running.configure(defaults)
      const written = {
        target,
        tokens,
        provider,
        limits: { requestsPerSecond: limits.requestsPerSecond },
      }
      const text = `# Judges the embedded reference server that wrote this file.\n${stringify(written)}`
      writeOptionFile('--write-config', writeConfig, text)
    }
    const { baseUrl, providerUrl } = running
    print(
      `${JSON.stringify({ ready: true, baseUrl, provider: providerUrl, faults: fault, variants })}\n`,
    )
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    print(`${JSON.stringify({ stopped: true, ...countsOf(running) })}\n`)
  } finally {
    await running.close()
  }
}

/** Throws {@link UsageError} for a port that is not available, and any other error as it is. */
function refusePort(error: NodeJS.ErrnoException & { port?: number }): never {
  if (error.code === 'EADDRINUSE')
    throw new UsageError(
      `--port ${error.port}: another program listens on this port; choose another, or none for a free one`,
    )
  if (error.code === 'EACCES')
    throw new UsageError(
      `--port ${error.port}: this user may not listen on this port; ports from 1024 on are free to use`,
    )
  throw error
}

/** How many requests the server received, how many without a valid token, and how many of throttled callers before the stated time. */
function countsOf({ server: { log } }: RunningServer) {
  const sent = log.filter(({ endpoint }) => !endpoint.startsWith('GET /archives/'))
  const count = (caller: string) => sent.filter((request) => request.caller === caller).length
  const early = sent.filter((request) => request.early).length
  return { requests: sent.length, anonymous: count('anonymous'), invalid: count('invalid'), early }
}
