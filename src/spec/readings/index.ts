import { requirements } from '../requirements.ts'
import { conventions } from './conventions.ts'
import { events } from './events.ts'
import { general } from './general.ts'
import { migrations } from './migrations.ts'
import { notifications } from './notifications.ts'
import { paging } from './paging.ts'
import { permissions } from './permissions.ts'
import { polling } from './polling.ts'
import type { Chapter, Reading } from './reading.ts'
import { versioning } from './versioning.ts'

/** The readings by subject: the general ones first, the others in the document's order. */
export const chapters: readonly Chapter[] = [
  general,
  paging,
  polling,
  events,
  notifications,
  migrations,
  permissions,
  versioning,
  conventions,
]

/** Every reading, in the order of the chapters. */
export const readings: readonly Reading[] = chapters.flatMap((chapter) => chapter.readings)

/** The readings that bear on a check, given the ids of the requirements that it judges; in the order of the chapters. */
export function readingsOf(requirementIds: readonly string[]): readonly Reading[] {
  const cited = new Set(
    requirements.filter(({ id }) => requirementIds.includes(id)).flatMap((requirement) => requirement.readings ?? []),
  )
  return readings.filter(({ id }) => cited.has(id))
}
