import type { Suite } from '../../src/suite/check.ts'
import archive from './archive/archive.suite.ts'
import deleteArchive from './archive/delete-archive.suite.ts'
import download from './archive/download.suite.ts'
import lifetime from './archive/lifetime.suite.ts'
import unlock from './locks/unlock.suite.ts'
import get from './read/get.suite.ts'
import list from './read/list.suite.ts'
import repositories from './read/repositories.suite.ts'
import start from './start/start.suite.ts'

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
  lifetime,
]
