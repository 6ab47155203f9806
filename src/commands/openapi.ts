import type { Command } from '@commander-js/extra-typings'
import { apiVersions } from '../spec/versions.ts'
import { example, oneOf } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `openapi`: the covered API for other tools. */
export function defineOpenApi(program: Command, { print }: Surroundings): void {
  program
    .command('openapi')
    .description('print the covered API as OpenAPI 3.1')
    .requiredOption('--api-version <version>', `${apiVersions.join(' or ')} (required)`, oneOf(apiVersions))
    .addHelpText('after', example('service-conformance openapi --api-version 2026-03-10 > openapi.json'))
    .action(async ({ apiVersion }) => {
      const { renderOpenApi } = await import('../openapi/openapi.ts')
      print(`${JSON.stringify(renderOpenApi(apiVersion), null, 2)}\n`)
    })
}
