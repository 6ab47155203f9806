#!/usr/bin/env node
import { main } from './commands/program.ts'

process.exitCode = await main(process.argv.slice(2), async () => (await import('../suites/index.ts')).suites)
