import type { Command } from 'commander'
import { formatNames } from '../report/formats/format-names.ts'
import { oneOf, positiveInteger, repeated, shardOf, shared } from './options.ts'
import type { RunOptions } from './run.ts'
import type { ServeOptions } from './serve.ts'

/** The commands that judge or serve a target. Each module is loaded when its command is called, so that help is instant. */
export function defineJudging(program: Command, conclude: (code: number) => void): void {
  program
    .command('run', { isDefault: true })
    .description('judge a target, one report per API version (the default command)')
    .addOption(shared.config())
    .addOption(shared.baseUrl())
    .addOption(shared.version())
    .addOption(shared.area())
    .addOption(shared.only())
    .option('--out <dir>', 'where reports are written (default: reports)')
    .addOption(repeated('--format <format>', `${formatNames.join(', ')} (repeatable)`, oneOf(formatNames)))
    .option('--strict', 'warnings are red too')
    .option('--read-only', 'send nothing but GET')
    .option('--shard <i/n>', 'judge the i-th of n parts', shardOf)
    .option('--max-requests <n>', 'send at most n requests per version', positiveInteger)
    .option('--seed <n>', 'seed of the property checks (default: random, printed)', positiveInteger)
    .option('--watch', 'judge again on Enter and when the target comes back; only changes are printed')
    .option('--quiet', 'print nothing')
    .addHelpText('after', '\nExample:\n  service-conformance run --base-url http://localhost:3000 --only events.public')
    .action(async (options: RunOptions) => conclude(await (await import('./run.ts')).runCommand(options)))

  program
    .command('serve')
    .description('start the embedded reference server; prints one JSON line when ready')
    .option('--port <n>', 'port to listen on (default: a free one)', positiveInteger)
    .addOption(repeated('--fault <id>', 'let the server break a requirement (repeatable)', (text) => text))
    .addOption(repeated('--variant <id>', 'let the server use a liberty that the document gives (repeatable)', (text) => text))
    .option('--write-config <file>', 'write a configuration that judges this server')
    .addHelpText('after', '\nExample:\n  service-conformance serve --port 8080 --fault events.public.no-etag')
    .action(async (options: ServeOptions) => (await import('./serve.ts')).serveCommand(options))
}
