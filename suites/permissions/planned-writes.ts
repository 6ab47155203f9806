import { type PermissionRow, permissionRows } from '../../src/spec/permissions.ts'
import { aspectsOf, type RowAspect } from './row-aspects.ts'

/** What a run may write for one row, before it happens. */
export interface PlannedWrites {
  readonly endpoint: string
  /** Who sends the row's request, in the order of its checks. */
  readonly senders: readonly string[]
  /** Requests at most, without what puts the object back. */
  readonly atMost: number
  /** On what, and what becomes of it. */
  readonly on: string
}

const tokensOf: Readonly<Record<RowAspect['expects'], readonly string[]>> = {
  granted: ['with the permission'],
  denied: ['without any permission', 'with every other permission'],
  'read-only': ['with read alone'],
  refused: ['with the permission', 'with any'],
  anonymous: [],
  'invalid-token': [],
  header: [],
}

/** The writes of every row that a run judges; rows that read have none. */
export function plannedWrites(rows: readonly PermissionRow[] = permissionRows): PlannedWrites[] {
  return rows.filter(({ access }) => access === 'write').map(writesOf)
}

/** The writes of one row: its request once for each caller, on a disposable object that is put back after each that is served. */
export function writesOf(row: PermissionRow): PlannedWrites {
  const senders = ['owner', ...aspectsOf(row).flatMap(sendersOf)]
  return {
    endpoint: `${row.method} ${row.path}`,
    senders,
    atMost: senders.length,
    on: 'the permission-target of the row, restored after each served write; without one, an id that does not exist, or nothing',
  }
}

function sendersOf({ expects, kind }: RowAspect): string[] {
  if (expects === 'anonymous') return ['nobody']
  if (expects === 'invalid-token') return ['an invalid token']
  return tokensOf[expects].map((holding) => `${kind} ${holding}`)
}
