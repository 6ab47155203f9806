import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import { type MatrixKind, matrixKinds, type NeedName } from '../../src/spec/needs.ts'
import type { Level } from '../../src/spec/requirements.ts'
import type { Operation } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Needing, type NeedMap, type Resolved, role, token } from '../../src/suite/needs.ts'
import type { Touch } from '../../src/suite/touch.ts'
import { inventedToken } from './proof.ts'

/** One kind of caller. */
export interface CallerKind {
  /** The name of the kind in titles. */
  readonly whom: string
  /** A caller without a token of the operator. */
  readonly known?: Caller
  /** The token of the caller. */
  readonly token?: Needing<Caller>
  /** Finds the token of a caller, if it depends on other data. */
  readonly find?: (t: CheckContext) => Promise<Caller>
}

/** The kinds of callers whose right does not depend on permissions. Kinds of tokens with permissions stand in the tables of the areas. */
export const callerKinds = {
  anonymous: { whom: 'a request without a token', known: anonymous },
  invented: { whom: 'a token that was never issued', known: inventedToken },
  outsider: { whom: 'an unrelated user', token: role('outsider') },
  member: { whom: 'another member of the organization', token: role('member') },
  organizationOwner: { whom: 'an owner of the organization', token: role('org-owner') },
  scopeless: {
    whom: 'a classic token without any scope',
    token: token({ kind: 'classic', scopes: [] }),
  },
} as const satisfies Record<string, CallerKind>

/** One row of the table of an area: a kind of caller for its objects, and the metadata of the check. Areas add columns of their own. */
export interface CallerRow extends CallerKind {
  readonly aspect: string
  /** Replaces the usual title: `rejects`, or `accepts`, and the name of the kind. */
  readonly title?: string
  readonly expects?: 'granted' | 'refused'
  /** The one status that the document lists for the refusal. */
  readonly exactly?: number | undefined
  readonly own?: {
    readonly requirement?: string
    readonly level?: Level
    readonly matrix?: MatrixCell
    readonly asks?: readonly NeedName[]
    readonly touches?: readonly Touch[]
  }
}

/** Judges one row for its caller, who is anonymous where the row names no other. */
type JudgeCaller<Needs extends NeedMap, Also extends NeedMap, Row> = (
  t: CheckContext,
  needs: Resolved<Needs>,
  also: Resolved<Also>,
  at: { readonly caller: Caller; readonly row: Row },
) => Promise<void>

/** The checks of an operation for the rows of a table. A single failure of a refusal is conclusive (readings G13). */
export function callerChecks<Needs extends NeedMap, Also extends NeedMap, Row extends CallerRow>(
  operation: Operation<Needs>,
  also: Also,
  rows: readonly Row[],
  judge: JudgeCaller<Needs, Also, Row>,
) {
  return rows.map((row) => {
    const { aspect, whom, own, known = anonymous, token: wanted, find } = row
    const isGranted = row.expects === 'granted'
    const { title = `${isGranted ? 'accepts' : 'rejects'} ${whom}` } = row
    return operation.check(
      aspect,
      title,
      {
        ...(find ? { asks: ['token'] } : {}),
        ...own,
        ...(isGranted ? {} : { conclusive: true }),
        also: { ...also, ...(wanted ? { caller: wanted } : {}) },
      },
      async (t, needs, others) => {
        const { caller = (await find?.(t)) ?? known } = others as { readonly caller?: Caller }
        return judge(t, needs, others as Resolved<Also>, { caller, row })
      },
    )
  })
}

/** The refusals in an area that serves classic tokens alone (document: Authentication, rules 5 and 6). */
export function classicOnly(
  area: 'notifications' | 'migrations',
  ofKind: (kind: MatrixKind) => Pick<CallerKind, 'token' | 'find'>,
): CallerRow[] {
  const access = `${area}.access`
  const cell = {
    owner: area,
    category: 'classic tokens only',
    access: 'none',
    expects: 'refused',
  } as const
  return [
    {
      ...callerKinds.invented,
      aspect: 'invented-token',
      own: { requirement: `${access}.invented-token` },
    },
    ...matrixKinds.map((kind) => ({
      ...ofKind(kind),
      aspect: kind,
      whom: `a token of kind ${kind}`,
      own: { requirement: `${access}.token-kinds`, matrix: { ...cell, kind } },
    })),
  ]
}
