import type { Suite } from '../../src/suite/check.ts'
import across from './across.ts'
import advisories from './advisories.ts'
import bundle from './bundle.ts'
import dispatch from './dispatch.ts'
import gists from './gists.ts'
import header from './header.ts'
import installation from './installation.ts'
import issues from './issues.ts'
import languages from './languages.ts'
import migrationDetails from './migration-details.ts'
import offers from './offers.ts'
import organization from './organization.ts'
import pullRequests from './pull-requests.ts'
import rateLimit from './rate-limit.ts'
import repositories from './repositories.ts'
import repositoryIds from './repository-ids.ts'
import root from './root.ts'
import sarif from './sarif.ts'
import submoduleType from './submodule-type.ts'
import teamPermission from './team-permission.ts'
import tradeControls from './trade-controls.ts'

/** The suites of the versioning area: the rules, the document's changes in their order, and what changed beside them. */
export const versioningSuites: readonly Suite[] = [
  header,
  offers,
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
