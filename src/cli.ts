#!/usr/bin/env node
import { outputTo } from './commands/common/streams.ts'
import { main } from './commands/program.ts'

/** The error of a lost output that its reader did not cause, such as a full disk. */
let lost: NodeJS.ErrnoException | undefined
// A reader such as "head" may close the pipe early. The command continues, because its reports and its exit code count.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return process.argv.includes('--watch') ? process.exit(130) : undefined
    if (stream === process.stdout) lost = error
  })
}

process.on('uncaughtException', (error) => {
  outputTo().warn(`service-conformance: ${error.message}\nthis is an error in the suite, not in the target\n`)
  process.exit(3)
})

process.on('exit', () => {
  if (!lost) return
  outputTo().warn(`service-conformance: the output could not be written: ${lost.message}\n`)
  process.exitCode ||= 3
})

process.exitCode = await main(process.argv.slice(2), async () => (await import('../suites/index.ts')).suites)
// The pending requests of an interrupted run would delay the end of the process until their timeout.
if (process.exitCode === 130) process.exit()
