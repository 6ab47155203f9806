import type { Command } from '@commander-js/extra-typings'
import { renderOpenApi } from '../openapi/openapi.ts'
import { apiVersions } from '../spec/versions.ts'
import { type CommandContext, example, oneOf, renderJson } from './common/command.ts'

/** `openapi`: the covered API for other tools. */
export function define(command: Command, { print }: CommandContext) {
  command
    .requiredOption(
      '--api-version <version>',
      `${apiVersions.join(' or ')} (required)`,
      oneOf(apiVersions),
    )
    .addHelpText('after', example('openapi --api-version 2026-03-10 > openapi.json'))
    .action(({ apiVersion }) => print(renderJson(renderOpenApi(apiVersion))))
}
