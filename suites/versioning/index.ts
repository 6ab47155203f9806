import { changeEndpoints as at, familyOf } from '../../src/spec/changes/changes.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { Suite } from '../../src/suite/check.ts'
import across from './across/across.suite.ts'
import { assigning } from './changes/assignees.ts'
import { attestations } from './changes/attestations.ts'
import {
  advisories,
  assigned,
  pullRequests,
  rateLimit,
  repositories,
  root,
} from './changes/fields.ts'
import { gistRows } from './changes/gists.ts'
import { migrationDetails } from './changes/migration-details.ts'
import { organization } from './changes/organization.ts'
import { repositoryIds } from './changes/repository-ids.ts'
import { dispatch, installation, tradeControls } from './changes/statuses.ts'
import { teamPermission } from './changes/teams.ts'
import { languages, sarif, submoduleType } from './changes/values.ts'
import { changeSuite } from './common/change-row.ts'
import { header, supportedVersions } from './rules.ts'

/** The suites of the versioning area: the rules, the document's changes in their order, and other changes. */
export const versioningSuites: readonly Suite[] = [
  header,
  supportedVersions,
  changeSuite(at.rateLimit, rateLimit),
  changeSuite(at.createTeam, teamPermission),
  changeSuite(at.contents, submoduleType),
  changeSuite(familyOf(4), sarif),
  changeSuite(familyOf(5), repositories),
  changeSuite(at.root, root),
  changeSuite(at.gist, ...gistRows),
  changeSuite(at.deleteInstallation, installation),
  changeSuite(at.organization, organization),
  changeSuite(at.defaultSetup, languages),
  changeSuite(at.createUserRepository, tradeControls),
  changeSuite(familyOf(15), advisories),
  changeSuite(endpoints.listMigrations, migrationDetails),
  changeSuite(familyOf(17), pullRequests),
  changeSuite(at.dispatchWorkflow, dispatch),
  changeSuite(familyOf(19), assigned, assigning),
  changeSuite(at.setOrganizationSecret, repositoryIds),
  changeSuite(at.repositoryAttestations, attestations),
  across,
]
