import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { expect, test } from 'vitest'
import { readSchema } from '../package/schemas.ts'
import { atPointer } from '../text/json-pointer.ts'
import { createProgram } from './program.ts'

// The pages are made from the program and from the schemas: "npx vitest run src/commands/docs.test.ts -u" writes them anew.

test('docs/commands.md contains the help of every command', async () => {
  const program = await createProgram({ suites: async () => [], print() {}, warn() {}, end() {} })
  const commands = program.commands.flatMap((command) => [command, ...command.commands])
  const page = [
    '# Commands',
    '',
    'Every command explains itself with `--help`; this page is made from that text.',
    '',
    '| exit code | meaning |',
    '|---|---|',
    '| 0 | conforms, as far as the gate asks; for other commands: done |',
    '| 1 | deviates, or a limit of the gate is missed; `compare`: a regression or a loss |',
    '| 2 | the command line or the configuration is wrong; the text names the place and guesses the slip |',
    '| 3 | inconclusive: the target did not answer, nothing was judged, or less than `gate.minJudged` |',
    '| 130 | interrupted; the partial reports are written and say so |',
    '',
    '`doctor` ends with the code that the run it foretells would have if nothing deviated.',
    '',
    ...commands.flatMap((command) => [`## ${nameOf(command)}`, '', '```text', helpOf(command), '```', '']),
  ]
  await expect(page.join('\n')).toMatchFileSnapshot('../../docs/commands.md')
})

function nameOf(command: CommandUnknownOpts): string {
  return command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name()
}

function helpOf(command: CommandUnknownOpts): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) })
  command.outputHelp()
  return help.trim()
}

test('docs/report.md names every field of the records', async () => {
  const page = [
    '# The records of a run',
    '',
    'A run writes `run.json` and, for each API version, `<version>/report.json`. Every other format is made from these two and from',
    'nothing else. `schemas/run.schema.json` and `schemas/report.schema.json` validate them; this page is made from those schemas.',
    '',
    'Exchanges stand once in a record, and checks refer to them by id. No secret stands in either file: a token is shown as the name of its',
    'environment variable. Members keep their order, so that two runs can be compared as text. With `--record FILE` a run also leaves a',
    '[recording](recordings.md), from which the same records can be made again without the target.',
    '',
    '## run.json',
    '',
    ...fieldTable('run'),
    '',
    '## report.json',
    '',
    ...fieldTable('report'),
    '',
  ]
  await expect(page.join('\n')).toMatchFileSnapshot('../../docs/report.md')
})

interface Schema {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

function fieldTable(name: string): string[] {
  const rows = rowsOf(readSchema(name) as Schema, name, '')
  return ['| field | type | meaning |', '|---|---|---|', ...rows]
}

function rowsOf(schema: Schema, file: string, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, raw]) => {
    const member = resolved(raw, file)
    const item = member.items ? resolved(member.items, file) : undefined
    const optional = schema.required?.includes(key) ? '' : ' (optional)'
    const here = `${path}${key}`
    const row = `| \`${here}\`${optional} | ${typeOf(member, item)} | ${(member.description ?? '').replaceAll('|', '\\|')} |`
    // A record that another file describes is not described twice.
    const elsewhere = (member.items?.$ref ?? raw.$ref ?? '').startsWith('report#')
    return elsewhere ? [row] : [row, ...rowsOf(item ?? member, file, item ? `${here}[].` : `${here}.`)]
  })
}

function resolved(schema: Schema, file: string): Schema {
  if (schema.$ref === undefined) return schema
  const [other, pointer = ''] = schema.$ref.split('#')
  return atPointer(readSchema(other || file), pointer) as Schema
}

function typeOf(member: Schema, item: Schema | undefined): string {
  if (item) return `array of ${typeOf(item, undefined)}`
  const words = member.enum ?? (member.const === undefined ? undefined : [member.const])
  return words ? words.map((word) => `\`${String(word)}\``).join(', ') : [member.type ?? 'any'].flat().join(' or ')
}
