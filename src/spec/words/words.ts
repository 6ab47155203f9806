import { readData } from '../../package/data-file.ts'
import { changes } from '../changes/changes.ts'
import {
  emptyCategories,
  feedCategories,
  permissionCategories,
  slugOf,
} from '../permissions/permissions.ts'
import { membersOf, objectKinds } from './object-kinds.ts'

/** The header that names the API version (section Conventions). */
export const versionHeader = 'X-Service-Api-Version'
/** The header that names the permissions that an endpoint accepts (section Authentication). */
export const permissionsHeader = 'X-Accepted-Service-Permissions'

const words: Readonly<
  Record<
    'headers' | 'queryParameters' | 'otherFields' | 'knownReasons' | 'archiveKinds',
    readonly string[]
  >
> = readData('src/spec/words/words.yaml')

/** The headers that checks send or read, in the document's spelling. */
export const headerNames: readonly string[] = [versionHeader, permissionsHeader, ...words.headers]

/** The reasons of a notification (section Resources and their fields), and the kinds of objects of an archive (section Migration archive). */
export const { knownReasons, archiveKinds } = words

/** The query parameters of the document (section Endpoints). */
export const queryParameterNames = words.queryParameters

/** The categories of the permission matrix, as tokens and the permissions header name them. */
export const categorySlugs: readonly string[] = [
  ...permissionCategories.map(({ slug }) => slug),
  ...[...Object.values(emptyCategories), ...Object.values(feedCategories)].flat().map(slugOf),
]

/** The names of fields that checks send or read. */
export const fieldNames: readonly string[] = [
  ...new Set([
    ...objectKinds.flatMap(membersOf),
    // `*` is every field.
    ...changes
      .flatMap(({ parts }) => parts)
      .flatMap((part) => ('field' in part && part.field !== '*' ? [part.field] : [])),
    ...words.otherFields,
  ]),
].sort()
