import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { validatorOf } from '../../package/schemas.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import type { Report, RunRecord } from '../../record/run-record.ts'
import { messageOf, UsageError } from '../../text/errors.ts'

/** The records of a run, from its directory or its run.json. Throws {@link UsageError} if they are missing or damaged. */
export function readRun(place: string): RunRecords {
  const file = existsSync(place) && statSync(place).isDirectory() ? join(place, 'run.json') : place
  if (!existsSync(place))
    throw new UsageError(`there is no "${place}"; a directory with run.json is accepted`)
  if (!existsSync(file))
    throw new UsageError(`there is no run.json in ${place}: it contains no reports of a run`)
  const run = readRecord<RunRecord>(file, 'run')
  return {
    run,
    reports: run.versions.map(({ report }) =>
      readRecord<Report>(join(dirname(file), report), 'report'),
    ),
  }
}

function readRecord<Kind extends RunRecord | Report>(file: string, schema: 'run' | 'report') {
  const record = parse(file)
  const validate = validatorOf(schema)
  if (validate(record)) return record as Kind
  const error = validate.errors?.[0]
  const version = JSON.stringify((record as { formatVersion?: unknown }).formatVersion)
  if (error?.instancePath === '/formatVersion')
    throw new UsageError(
      `${file} has the format version ${version}; this release reads ${error.params.allowedValue}`,
    )
  throw new UsageError(
    `${file} is not a ${schema} record of this suite: ${error?.instancePath || 'it'} ${error?.message}`,
  )
}

function parse(file: string) {
  if (statSync(file, { throwIfNoEntry: false })?.isFIFO())
    throw new UsageError(`${file} is a pipe; a directory with run.json is accepted`)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UsageError(`${file}, which run.json names, is missing`)
    throw new UsageError(
      `${file} cannot be read as a record: ${messageOf(error)}; a directory with run.json is accepted`,
    )
  }
}
