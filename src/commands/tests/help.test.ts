import { describe, expect, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { outputTo } from '../common/streams.ts'
import { createProgram } from '../program.ts'

describe('every command', async () => {
  const program = await createProgram({
    ...outputTo({ print() {}, warn() {} }),
    catalogue: async () => new Catalogue(suites),
    end() {},
  })
  const commands = program.commands.flatMap((command) => [command, ...command.commands])

  test.each(commands.map((command) => [command.name(), command] as const))(
    'the help of the command %s contains an example',
    (_, command) => {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) })
      command.outputHelp()
      expect(help).toMatch(/Example:\n {2}.*service-conformance/)
    },
  )
})
