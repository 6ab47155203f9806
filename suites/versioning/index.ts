import type { Suite } from '../../src/suite/check.ts'
import across from './across/across.suite.ts'
import advisories from './changes/advisories.ts'
import bundle from './changes/bundle.ts'
import dispatch, { installation } from './changes/dispatch.ts'
import gists from './changes/gists.ts'
import header from './changes/header.ts'
import issues, { pullRequests } from './changes/issues.ts'
import migrationDetails from './changes/migration-details.ts'
import organization from './changes/organization.ts'
import repositories from './changes/repositories.ts'
import repositoryIds from './changes/repository-ids.ts'
import root, { rateLimit } from './changes/root.ts'
import supportedVersions from './changes/supported-versions.ts'
import teamPermission from './changes/team-permission.ts'
import tradeControls from './changes/trade-controls.ts'
import { languages, sarif, submoduleType } from './changes/values.ts'

/** The suites of the versioning area: the rules, the document's changes in their order, and other changes. */
export const versioningSuites: readonly Suite[] = [
  header,
  supportedVersions,
  rateLimit,
  teamPermission,
  submoduleType,
  sarif,
  repositories,
  root,
  gists,
  installation,
  organization,
  languages,
  tradeControls,
  advisories,
  migrationDetails,
  pullRequests,
  dispatch,
  issues,
  repositoryIds,
  bundle,
  across,
]
