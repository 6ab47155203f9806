import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import {
  configuredPath,
  type NeedMap,
  need,
  optional,
  type Resolved,
  role,
} from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import {
  type Exporting,
  type Flags,
  type RepositoryName,
  type Started,
  setTo,
  startMigration,
  unset,
} from './start-request.ts'

/** The owner of the judged migrations, and the repository to export. */
export const needs = { owner: role('owner'), repository: need('exportable-repository') }
export type MigrationNeeds = Resolved<typeof needs>
export const twoRepositories = { ...needs, second: need('second-repository') }
/** The second repository, if there is one. */
export const mayBeTwo = { second: optional(twoRepositories.second) }
/** Migrations that have ended, if they are known. */
export const endedMigrations = {
  failed: optional(need('failed-migration')),
  expired: optional(need('expired-migration')),
}
/** The needs of a check of archives. */
export const archiveNeeds = { ...needs, path: configuredPath('downloadArchive') }

export const idsOfEnded = ({ failed, expired }: Resolved<typeof endedMigrations>) =>
  [failed, expired].flatMap((migration) => migration?.migration_id ?? [])

/** An operation whose checks start migrations. */
export const onMigrations = <const Needs extends NeedMap>(
  name: string,
  endpoint: Endpoint,
  needs: Needs,
) => operation({ id: `migrations.${name}`, endpoint, needs, level: 'must', writes: true })

/** The repositories of a migration of several: two, or three where the need names a third one. */
export function repositoriesOf({
  repository,
  second,
}: Resolved<typeof twoRepositories>): readonly RepositoryName[] {
  const third = second.third === undefined ? [] : [{ owner: second.owner, repo: second.third }]
  return [repository, second, ...third]
}

type ExportingTwo = Exporting & { readonly second: RepositoryName }

/** Starts a migration once for all checks that state its name. */
const once = (
  t: CheckContext,
  name: string,
  owner: Caller,
  repositories: readonly RepositoryName[],
  body?: Flags,
) => t.shared(name, (shared) => startMigration(shared, owner, repositories, body))

/** The migration that most checks read: one repository, no flag set. */
export const plain = (t: CheckContext, { owner, repository }: Exporting) =>
  once(t, 'migration', owner, [repository], unset)

/**
 * A migration of the second repository, without any flag, for the deletion of its archive. If it has no archive, another number
 * makes another migration.
 */
export const disposable = (
  t: CheckContext,
  { owner, second }: Omit<ExportingTwo, 'repository'>,
  number = 1,
) => once(t, `disposable migration ${number}`, owner, [second])

/** A migration of both repositories. */
export const ofTwo = (t: CheckContext, { owner, repository, second }: ExportingTwo) =>
  once(t, 'migration of two', owner, [repository, second])

/** A migration with some flags set and the others named as not set. Several flags without locks are set for two repositories, if possible. */
export async function flagged(
  t: CheckContext,
  { owner, repository }: Exporting,
  ...flags: readonly string[]
): Promise<Started> {
  const isOfTwo = flags.length > 1 && !flags.includes('lock_repositories')
  const second = isOfTwo ? await unlessUntested(t.ask('second-repository', {})) : undefined
  return once(t, `migration with ${flags.join(', ')}`, owner, [repository, second ?? []].flat(), {
    ...unset,
    ...setTo(true, flags),
  })
}

/** A migration that is requested without its repositories in the 201 (document: Body of POST /user/migrations), and with flags. */
export const withExclude = (t: CheckContext, { owner, repository }: Exporting) =>
  once(t, 'migration with exclude', owner, [repository], {
    ...unset,
    exclude: ['repositories'],
    exclude_owner_projects: true,
  })

/** The migration of organization metadata only. */
export const metadataOnly = (t: CheckContext, owner: Caller) =>
  once(t, 'migration with org_metadata_only', owner, [], { org_metadata_only: true })

/** A started migration's id; ends the check if there is none. */
export function idOf(t: CheckContext, { id, response }: Started) {
  return (
    id ?? t.untested(`no migration was started (POST /user/migrations returned ${response.status})`)
  )
}

/** The id of the migration without flags; ends the check if it was not started. */
export const plainId = async (t: CheckContext, exporting: Exporting) =>
  idOf(t, await plain(t, exporting))
