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
// What an interrupted run had asked and has no answer to would keep the process until its time is over.
if (process.exitCode === 130) process.exit()
