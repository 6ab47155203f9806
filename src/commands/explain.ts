import type { Command } from '@commander-js/extra-typings'
import { guess, UsageError } from '../text/errors.ts'
import { example, shared } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `explain`: everything about one check, or one reading. */
export function defineExplain(program: Command, { suites, print }: Surroundings): void {
  program
    .command('explain')
    .description(
      'show one check (claim, requirement, needs, the faults that it catches, and how it passes) or one reading of the document',
    )
    .argument('<id>', 'the id of a check, or of a reading such as G13')
    .addOption(shared.config())
    .addOption(shared.json())
    .addHelpText('after', example('service-conformance explain events.public.per-page-default'))
    .action(async (id, options) => {
      const { readings } = await import('../spec/readings.ts')
      const reading = readings.find((known) => known.id === id.toUpperCase())
      if (reading !== undefined) {
        const { explainReading } = await import('./actions/explain-reading.ts')
        return print(explainReading(reading, options, await suites(options)))
      }
      if (/^[a-z]+\d+$/i.test(id))
        throw new UsageError(
          `there is no reading ${id}${guess(
            id.toUpperCase(),
            readings.map((known) => known.id),
          )}; "service-conformance explain CHECK" names the readings of a check`,
        )
      const { explainCommand } = await import('./actions/explain.ts')
      print(await explainCommand(id, options, await suites(options)))
    })
}
