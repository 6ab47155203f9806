#!/usr/bin/env node
import { main } from './commands/program.ts'

/** Why output was lost, where that was no choice of its reader: a full disk. */
let lost: NodeJS.ErrnoException | undefined
// A reader that has seen enough, such as "head", closes the pipe. The command goes on all the same: its reports and its exit code count.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return process.argv.includes('--watch') ? process.exit(130) : undefined
    if (stream === process.stdout) lost = error
  })
}

process.on('exit', () => {
  if (!lost) return
  process.stderr.write(`service-conformance: the output could not be written: ${lost.message}\n`)
  process.exitCode ||= 3
})

process.exitCode = await main(process.argv.slice(2), async () => (await import('../suites/index.ts')).suites)
// What an interrupted run had asked and has no answer to would keep the process until its time is over.
if (process.exitCode === 130) process.exit()
