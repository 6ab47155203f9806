#!/usr/bin/env node
import { outputTo } from './commands/common/streams.ts'
import { after } from './http/transport/time/timers.ts'
import { messageOf, originOf } from './text/errors.ts'

/** The exit code of a command that did not conclude. */
const inconclusive = 3

/** The exit code of a command that the user ended. */
const interrupted = 130

/** The exit code that Node.js sets when a promise stays pending after the last timer and socket. */
const unsettled = 13

/** How long pending work may delay the end of the process. Milliseconds. */
const endsWithin = 1000

/** The command has returned its exit code. */
let isConcluded = false
/** The error of an output that could not be written, such as that of a full disk. A closed pipe is no error. */
let lost: NodeJS.ErrnoException | undefined
// A reader such as "head" may close the pipe early. The command continues, because its reports and its exit code count.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE')
      return process.argv.includes('--watch') ? process.exit(interrupted) : undefined
    if (stream === process.stdout) lost = error
  })
}

// An error outside every check, in the configuration's own suites for example, must not end as a verdict.
process.on('uncaughtException', (error) => {
  outputTo().warn(
    `service-conformance: an error ended the command: ${messageOf(error)}\n${originOf(error)}\n`,
  )
  process.exit(inconclusive)
})

process.on('exit', () => {
  if (!isConcluded && process.exitCode !== interrupted) {
    if (process.exitCode === unsettled)
      outputTo().warn('service-conformance: the command ended without a result\n')
    process.exitCode = inconclusive
  }
  if (!lost) return
  outputTo().warn(`service-conformance: the output could not be written: ${lost.message}\n`)
  process.exitCode ||= inconclusive
})

// A system with few open files may refuse to load further modules. The handlers above then report it.
const { main } = await import('./commands/program.ts')
process.exitCode = await main(
  process.argv.slice(2),
  async () => (await import('../suites/index.ts')).suites,
)
isConcluded = true
// Pending requests, and timers of a provider, would delay the end of the process.
if (process.exitCode === interrupted) process.exit()
after(endsWithin, () => process.exit())
