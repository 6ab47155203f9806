#!/usr/bin/env node
import { main } from './commands/program.ts'

// A reader that has seen enough, such as "head", closes the pipe; that is no error of this program.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
}

process.exitCode = await main(process.argv.slice(2), async () => (await import('../suites/index.ts')).suites)
