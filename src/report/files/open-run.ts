import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../run/process-alive.ts'
import { type ApiVersion, apiVersions } from '../../spec/versions.ts'

/** What is known of a run while it goes on, so that a later one can release what it made if it is killed. */
export interface OpenRun {
  /** Identifies the run towards the provider. */
  readonly run: string
  readonly versions: readonly ApiVersion[]
  /** What the run has made on the target and not removed yet. */
  readonly made: readonly string[]
}

const prefix = '.service-conformance-run-'

/** Keeps the note of a run beside its reports until the run has ended. A directory that takes no files leaves the run without a note. */
export class OpenRunNote {
  readonly #file: string
  readonly #about: Omit<OpenRun, 'made'>

  constructor(directory: string, about: Omit<OpenRun, 'made'>) {
    this.#file = join(directory, `${prefix}${about.run}.json`)
    this.#about = about
    this.made([])
  }

  /** Notes what is on the target now. */
  made(made: readonly string[]): void {
    const text = JSON.stringify({ ...this.#about, made, host: hostname(), pid: process.pid })
    try {
      writeFileSync(`${this.#file}.new`, text)
      renameSync(`${this.#file}.new`, this.#file)
    } catch {
      rmSync(`${this.#file}.new`, { force: true })
    }
  }

  /** Removes the note: the reports name what is left behind. */
  end(): void {
    rmSync(this.#file, { force: true })
  }
}

/** The notes of runs in a directory that were killed, each with what removes it. */
export function killedRuns(directory: string): { readonly open: OpenRun; readonly forget: () => void }[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const file = join(directory, name)
      const forget = () => rmSync(file, { force: true })
      const note = noteIn(file)
      if (note === undefined) forget()
      return note === undefined || (note.host === hostname() && isAlive(note.pid)) ? [] : [{ open: note, forget }]
    })
}

function noteIn(file: string): (OpenRun & { host: string; pid: number }) | undefined {
  try {
    const { run, versions, made, host, pid } = JSON.parse(readFileSync(file, 'utf8'))
    const known = apiVersions.filter((version) => [versions].flat().includes(version))
    return typeof run === 'string' ? { run, versions: known, made: [made].flat().map(String), host, pid: Number(pid) } : undefined
  } catch {
    return undefined
  }
}
