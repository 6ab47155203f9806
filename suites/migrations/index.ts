import type { Suite } from '../../src/suite/check.ts'
import archive from './archive.ts'
import deleteArchive from './delete-archive.ts'
import download from './download.ts'
import expiry from './expiry.ts'
import get from './get.ts'
import list from './list.ts'
import repositories from './repositories.ts'
import start from './start.ts'
import unlock from './unlock.ts'

/** The suites of the migrations area, in the document's order. */
export const migrationsSuites: readonly Suite[] = [
  list,
  start,
  get,
  download,
  archive,
  deleteArchive,
  unlock,
  repositories,
  expiry,
]
