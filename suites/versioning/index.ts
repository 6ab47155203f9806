import type { Suite } from '../../src/suite/check.ts'
import advisories from './advisories.ts'
import bundle from './bundle.ts'
import dispatch from './dispatch.ts'
import gists from './gists.ts'
import installation from './installation.ts'
import issues from './issues.ts'
import languages from './languages.ts'
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

/** The suites of the versioning area, in the order of the document's changes. */
export const versioningSuites: readonly Suite[] = [
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
  pullRequests,
  dispatch,
  issues,
  repositoryIds,
  bundle,
]
