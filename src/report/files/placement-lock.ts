import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../run/process-alive.ts'

const lockFile = '.service-conformance-lock'

/** A lock that is older than this was left by a process that is gone: placing a set of files takes a fraction of a second. Milliseconds. */
const abandonedAfter = 30_000

/** How long another process is waited for between two looks. Milliseconds. */
const pause = 20

/** Does some work on a directory of reports while no other process of this suite does any there. */
export function withPlacementLock<Result>(directory: string, work: () => Result): Result {
  const lock = join(directory, lockFile)
  while (!acquired(lock)) {
    if (isAbandoned(lock)) rmSync(lock, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function acquired(lock: string): boolean {
  try {
    writeFileSync(lock, `${hostname()} ${process.pid}`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    rmSync(lock, { force: true })
    throw error
  }
}

function isAbandoned(lock: string): boolean {
  try {
    const [host, pid] = readFileSync(lock, 'utf8').split(' ')
    return (host === hostname() && !isAlive(Number(pid))) || Date.now() - statSync(lock).mtimeMs > abandonedAfter
  } catch {
    return false
  }
}
