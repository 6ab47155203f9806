import type { Command } from '@commander-js/extra-typings'
import { example, portNumber, positiveInteger, repeated } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `serve`: the embedded reference server on its own. */
export function defineServe(program: Command, { print }: Surroundings): void {
  program
    .command('serve')
    .description('start the embedded reference server; prints one JSON line when ready')
    .option('--port <n>', 'port to listen on (default: a free one)', portNumber)
    .addOption(repeated('--fault <id>', 'let the server break a requirement (repeatable)', (text) => text))
    .addOption(
      repeated('--variant <id>', 'let the server use a behaviour that the document permits (repeatable)', (text) => text),
    )
    .option('--scale <n>', 'serve n times as many events, threads and repositories (default: 1)', positiveInteger)
    .option('--write-config <file>', 'write a configuration that judges this server')
    .addHelpText('after', example('service-conformance serve --port 8080 --fault events.public.no-etag'))
    .action(async (options) => {
      const { serveCommand } = await import('./actions/serve.ts')
      await serveCommand(options, print)
    })
}
