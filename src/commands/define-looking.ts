import type { Command } from 'commander'
import { formatNames } from '../report/formats/format-names.ts'
import { apiVersions } from '../spec/versions.ts'
import type { CompareOptions } from './compare.ts'
import type { ExplainOptions } from './explain.ts'
import type { ListOptions } from './list.ts'
import { listNames } from './list-names.ts'
import type { MergeOptions } from './merge.ts'
import { oneOf, repeated, shared } from './options.ts'
import type { ReportOptions } from './report.ts'

const print = (text: string) => void process.stdout.write(text)

/** The commands that look at the suite or at existing reports. */
export function defineLooking(program: Command, conclude: (code: number) => void): void {
  defineLists(program)
  defineReports(program, conclude)

  program
    .command('openapi')
    .description('the covered API as OpenAPI 3.1')
    .requiredOption('--api-version <version>', apiVersions.join(' or '), oneOf(apiVersions))
    .addHelpText('after', '\nExample:\n  service-conformance openapi --api-version 2026-03-10 > openapi.json')
    .action(async ({ apiVersion }: { apiVersion: (typeof apiVersions)[number] }) =>
      print(`${JSON.stringify((await import('../openapi/openapi.ts')).renderOpenApi(apiVersion), null, 2)}\n`),
    )

  program
    .command('completion')
    .description('a completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish', oneOf(['bash', 'zsh', 'fish']))
    .addHelpText('after', '\nExample:\n  source <(service-conformance completion bash)')
    .action(async (shell: 'bash' | 'zsh' | 'fish') => print((await import('./completion.ts')).completionScript(shell, program)))
}

function defineLists(program: Command): void {
  const list = program
    .command('list')
    .description('show checks, requirements, needs, faults or variants without sending a request')
    .addHelpText('after', '\nExample:\n  service-conformance list needs --json')
  for (const name of listNames) {
    list
      .command(name)
      .description(`show ${name}`)
      .addOption(shared.area())
      .addOption(shared.only())
      .addOption(shared.json())
      .addHelpText('after', `\nExample:\n  service-conformance list ${name} --area events --json`)
      .action(async (options: ListOptions) => print((await import('./list.ts')).listCommand(name, options)))
  }

  program
    .command('explain')
    .description('one check: claim, requirement, needs, the faults it catches, and how it passes')
    .argument('<check>', 'its id')
    .addOption(shared.json())
    .addHelpText('after', '\nExample:\n  service-conformance explain events.public.per-page-default')
    .action(async (check: string, options: ExplainOptions) =>
      print(await (await import('./explain.ts')).explainCommand(check, options)),
    )
}

function defineReports(program: Command, conclude: (code: number) => void): void {
  const format = (description: string) => repeated('--format <format>', description, oneOf(formatNames))

  program
    .command('report')
    .description('write an existing run in other formats')
    .argument('[directory]', 'where run.json stands', 'reports')
    .addOption(format(`${formatNames.join(', ')} (repeatable; default: all)`))
    .option('--out <dir>', 'where the files are written (default: beside the records)')
    .addHelpText('after', '\nExample:\n  service-conformance report reports --format html --format sarif')
    .action(async (directory: string, options: ReportOptions) =>
      print((await import('./report.ts')).reportCommand(directory, options)),
    )

  program
    .command('compare')
    .description('two or more runs: regressions, fixes, new and lost checks; exit 1 on a regression')
    .argument('<runs...>', 'their directories, the oldest first')
    .option('--format <format>', 'text, json, markdown or html', oneOf(['text', 'json', 'markdown', 'html']))
    .addOption(shared.json())
    .option('--out <file>', 'write the comparison there instead of printing it')
    .addHelpText('after', '\nExample:\n  service-conformance compare yesterday/reports reports --format markdown')
    .action(async (runs: string[], options: CompareOptions) => {
      const { text, code } = (await import('./compare.ts')).compareCommand(runs, options)
      print(text)
      conclude(code)
    })

  program
    .command('merge')
    .description('join the reports of shards')
    .argument('<runs...>', 'the directories of the shards')
    .requiredOption('--out <dir>', 'where the joined reports are written')
    .addOption(format(`${formatNames.join(', ')} (repeatable)`))
    .addHelpText('after', '\nExample:\n  service-conformance merge shard-1 shard-2 --out reports')
    .action(async (runs: string[], options: MergeOptions) => {
      const { text, code } = (await import('./merge.ts')).mergeCommand(runs, options)
      print(text)
      conclude(code)
    })
}
