import { existsSync, readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { appendTo, changedYaml, readYaml } from '../config/yaml-file.ts'
import { defaultConfigFile } from '../report/view/subject.ts'
import { findCheck } from '../run/selection/selection.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import { UsageError } from '../text/errors.ts'
import { type CommandContext, example, type OptionsOf, shared } from './common/command.ts'
import { writeOptionFile } from './common/option-file.ts'

const sample =
  '--reason "fixed in 4.2" --owner mona --link https://tracker.example/7 --expires 2027-01-31'

/** `waive`: a waiver, added to the configuration. */
export function define(command: Command, { catalogue, print }: CommandContext) {
  return command
    .argument('<check>', 'the id of the check')
    .option('--reason <text>', 'the reason for accepting the deviation (required)')
    .option('--owner <name>', 'the person responsible for it (required)')
    .option('--link <address>', 'the page that tracks it (required)', webAddress)
    .option('--expires <date>', 'the last day of the waiver (required)', comingDate)
    .addOption(shared.version())
    .option('--config <file>', 'the configuration (default: conformance.config.yaml)')
    .addHelpText('after', example(`waive events.public.per-page-default ${sample}`))
    .action(
      async (check, options) => void print(waiveCommand(check, options, await catalogue(options))),
    )
}

function webAddress(text: string) {
  if (/^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError(
    'an http(s) address is accepted, such as https://tracker.example/7',
  )
}

/** A date, as YYYY-MM-DD, that exists and is not over. */
function comingDate(text: string) {
  const parsed = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : Number.NaN)
  const isDate = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
  if (!isDate) throw new InvalidArgumentError('a date is accepted, such as 2027-01-31')
  if (text >= new Date().toISOString().slice(0, 10)) return text
  throw new InvalidArgumentError('the date is in the past; an expired waiver fails the gate')
}

/** Adds a waiver to the configuration, whose comments stay. Throws {@link UsageError}. */
export function waiveCommand(
  check: string,
  options: OptionsOf<typeof define>,
  { suites }: Catalogue,
) {
  const { config = defaultConfigFile, apiVersion: versions, reason, owner, link, expires } = options
  const missing = Object.entries({ reason, owner, link, expires }).filter(
    ([, value]) => value === undefined,
  )
  if (missing.length > 0)
    throw new UsageError(
      `${missing.map(([name]) => `--${name}`).join(', ')} must be given (--help contains an example)`,
    )
  findCheck(suites, check)
  const text = existsSync(config) ? readFileSync(config, 'utf8') : ''
  const { waivers } = (text === '' ? {} : readYaml(config).value) as {
    waivers?: { check: string; versions?: ApiVersion[] }[]
  }
  const overlaps = (other?: readonly ApiVersion[]) =>
    !other || !versions || other.some((version) => versions.includes(version))
  if (waivers?.some((waiver) => waiver.check === check && overlaps(waiver.versions)))
    throw new UsageError(`${config} has a waiver of ${check} already; change that entry`)
  const entry = { check, ...(versions ? { versions } : {}), reason, owner, link, expires }
  const changed = changedYaml(config, text, (document) => appendTo(document, 'waivers', entry))
  writeOptionFile('--config', config, changed)
  return `${config}: ${check} is waived until ${expires}\n`
}
