import { judgedBy, requirements } from '../requirements.ts'
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

/** The readings that bear on a check, given its id and those of its requirements; in the order of the chapters. */
export function readingsOf(check: string, requirementIds: readonly string[]): readonly Reading[] {
  const cited = new Set(
    requirements.filter(({ id }) => requirementIds.includes(id)).flatMap((requirement) => requirement.readings ?? []),
  )
  return readings.filter((reading) => cited.has(reading.id) && (reading.checks === undefined || judgedBy(reading, check)))
}
