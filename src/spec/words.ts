import { changes } from './changes.ts'
import { membersOf, objectKinds } from './object-kinds.ts'
import { emptyCategories, feedCategories, permissionCategories, slugOf } from './permissions.ts'

/** The header that names the API version (section Conventions). */
export const versionHeader = 'X-Service-Api-Version'
/** The header that names the permissions that an endpoint accepts (section Authentication). */
export const permissionsHeader = 'X-Accepted-Service-Permissions'

/** The headers that checks send or read, in the document's spelling. */
export const headerNames: readonly string[] = [
  versionHeader,
  permissionsHeader,
  'X-Poll-Interval',
  'X-RateLimit-Remaining',
  'Content-Type',
  'Date',
  'ETag',
  'If-Modified-Since',
  'If-None-Match',
  'Last-Modified',
  'Location',
  'Retry-After',
]

/** The query parameters of the document (section Endpoints). */
export const queryParameterNames: readonly string[] = ['per_page', 'page', 'all', 'participating', 'since', 'before', 'exclude']

/** The categories of the permission matrix, as tokens and the permissions header name them. */
export const categorySlugs: readonly string[] = [
  ...permissionCategories.map(({ slug }) => slug),
  ...[...Object.values(emptyCategories), ...Object.values(feedCategories)].flat().map(slugOf),
]

/** Members of requests and responses that belong to no described kind of object (sections Endpoints and Versioning). */
const otherFields = ['read', 'core', 'remaining', 'language', 'languages', 'head', 'base', 'number', 'files', 'workflow_run_id']

/** The names of fields that checks send or read. */
export const fieldNames: readonly string[] = [
  ...new Set([
    ...objectKinds.flatMap(membersOf),
    ...changes.flatMap(({ parts }) => parts.flatMap((part) => ('field' in part && part.field !== '*' ? [part.field] : []))),
    ...otherFields,
  ]),
].sort()
