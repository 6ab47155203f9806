import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { Role } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { optional, role } from '../../src/suite/needs.ts'
import { type MissingNeed, Untested } from '../../src/suite/untested.ts'
import { inventedToken } from '../common/proof.ts'
import type { Attempt } from './attempt.ts'
import { aspectsOf, mustBeRejected, type RowAspect } from './row-aspects.ts'
import { RowProbe } from './row-probe.ts'
import { describeToken, type Holding, isShared, type MatrixKind, tokenRequest } from './row-tokens.ts'

/** The owners' tokens: the control of every verdict. An organisation's rows are judged as its owner, where one is configured. */
export const ownerNeeds = { organizationOwner: optional(role('org-owner')), owner: optional(role('owner')) }

/** What {@link ownerNeeds} resolve to. */
export interface Owners {
  readonly organizationOwner: Caller | undefined
  readonly owner: Caller | undefined
}

/** A caller of a row, with the probe whose control is the caller's own user, or the account's owner. */
export interface RowCaller {
  readonly caller: Caller
  readonly probe: RowProbe
  /** What the caller gets. */
  readonly attempt: (t: CheckContext) => Promise<Attempt>
}

/** One row as a check meets it: who can be tried on it. */
export class Row {
  readonly row: PermissionRow
  readonly #owners: Owners

  constructor(row: PermissionRow, owners: Owners) {
    this.row = row
    this.#owners = owners
  }

  /** The token of a kind that fits best, for the first owner that has one. Throws {@link Untested} when none has. */
  async caller(t: CheckContext, kind: MatrixKind, holding: Holding): Promise<RowCaller> {
    const missing: MissingNeed[] = []
    for (const { probe, role } of await this.#probes(t)) {
      for (const account of await accountsOf(t, probe, kind)) {
        const found = await untestedAsValue(t.tokenFor(tokenRequest(this.row, kind, role, account, holding)))
        if (!(found instanceof Untested)) return holding === 'granted' ? entitled(probe, found) : rejected(probe, found)
        missing.push(...found.missing)
      }
    }
    throw new Untested(describeToken(this.row, kind, holding), missing.slice(0, 1))
  }

  /** Every distinct token that can be had of several. Throws {@link Untested} when there is none. */
  async callers(t: CheckContext, kind: MatrixKind, ...holdings: readonly Holding[]): Promise<RowCaller[]> {
    const found: RowCaller[] = []
    const failures: Untested[] = []
    for (const holding of holdings) {
      const next = await untestedAsValue(this.caller(t, kind, holding))
      if (next instanceof Untested) failures.push(next)
      else if (!found.some(({ caller }) => caller.secret === next.caller.secret)) found.push(next)
    }
    if (found.length === 0 && failures[0]) throw failures[0]
    return found
  }

  /** Everybody whom an aspect of the row is about and who must be rejected. Throws {@link Untested} when there is nobody. */
  async rejected(t: CheckContext, { expects, kind }: Pick<RowAspect, 'expects' | 'kind'>): Promise<RowCaller[]> {
    if (expects === 'anonymous') return this.#as(t, anonymous)
    if (expects === 'invalid-token' || kind === undefined) return this.#as(t, inventedToken)
    if (expects === 'read-only') return this.callers(t, kind, 'read-only')
    if (expects === 'denied') return this.callers(t, kind, 'nothing', 'others')
    const listed = await untestedAsValue(this.caller(t, kind, 'listed'))
    // Where the permission itself opens nothing, nothing less does.
    return listed instanceof Untested ? this.callers(t, kind, 'any') : [listed]
  }

  /** A token without the permission, where only the contrast shows that the row lets the other through. */
  async contrast(t: CheckContext, kind: MatrixKind): Promise<RowCaller | undefined> {
    const [first] = await this.#probes(t)
    if ((await first?.probe.request(t))?.basis !== 'absent') return undefined
    const found = await untestedAsValue(this.callers(t, kind, 'nothing', 'others'))
    return found instanceof Untested ? undefined : found[0]
  }

  /** Tokens of every kind that the row allows, with each of some holdings. Throws {@link Untested} when there is none. */
  async everyCaller(t: CheckContext, ...holdings: readonly Holding[]): Promise<RowCaller[]> {
    const kinds = this.row.kinds as readonly MatrixKind[]
    const found: RowCaller[] = []
    for (const kind of kinds) {
      const callers = await untestedAsValue(this.callers(t, kind, ...holdings))
      if (!(callers instanceof Untested)) found.push(...callers)
    }
    return found.length > 0 ? found : [await this.caller(t, kinds[0] ?? 'app-user', 'granted')]
  }

  /** Somebody without any token of the matrix. */
  async #as(t: CheckContext, caller: Caller): Promise<RowCaller[]> {
    return (await this.#probes(t)).slice(0, 1).map(({ probe }) => rejected(probe, caller))
  }

  async #probes(t: CheckContext): Promise<{ probe: RowProbe; role: Role }[]> {
    const { organizationOwner, owner } = this.#owners
    const candidates: [Role, Caller | undefined][] = [['owner', owner]]
    if (isShared(this.row)) candidates.unshift(['org-owner', organizationOwner])
    const known = candidates.flatMap(([name, caller]) => (caller ? [{ name, caller }] : []))
    if (known.length === 0)
      return t.missing({ type: 'role', role: candidates[0]?.[0] ?? 'owner' }, 'no token of an owner is configured')
    return Promise.all(known.map(async ({ name, caller }) => ({ role: name, probe: await this.#probe(t, caller) })))
  }

  #probe(t: CheckContext, owner: Caller): Promise<RowProbe> {
    const ofSameOwner = async (found: Promise<RowCaller[]>) =>
      (await found).flatMap(({ caller, probe }) => (probe.owner === owner ? [caller] : []))
    return RowProbe.of(t, this.row, owner, {
      entitled: (asking) => ofSameOwner(this.#entitled(asking)),
      rejected: (asking) => ofSameOwner(this.#allRejected(asking)),
    })
  }

  /** The first token with the permission, if there is any. */
  async #entitled(t: CheckContext): Promise<RowCaller[]> {
    for (const { kind, expects } of aspectsOf(this.row)) {
      const found = expects === 'granted' && kind ? await untestedAsValue(this.caller(t, kind, 'granted')) : undefined
      if (found && !(found instanceof Untested)) return [found]
    }
    return []
  }

  async #allRejected(t: CheckContext): Promise<RowCaller[]> {
    const found: RowCaller[] = []
    for (const aspect of aspectsOf(this.row).filter(({ expects }) => mustBeRejected.includes(expects))) {
      const callers = await untestedAsValue(this.rejected(t, aspect))
      if (!(callers instanceof Untested)) found.push(...callers)
    }
    return found
  }
}

function entitled(probe: RowProbe, caller: Caller): RowCaller {
  return { probe, caller, attempt: (t) => probe.permitted(t, caller) }
}

function rejected(probe: RowProbe, caller: Caller): RowCaller {
  return { probe, caller, attempt: (t) => probe.rejected(t, caller) }
}

/**
 * The accounts that a token can be on: the organisation or the repository's owner, a user's own for fine-grained tokens (readings F17),
 * and for installations, which have no user, the owner's own before any other.
 */
async function accountsOf(t: CheckContext, probe: RowProbe, kind: MatrixKind): Promise<(string | undefined)[]> {
  const { params } = await probe.request(t)
  const named = params.org ?? params.owner
  if (named !== undefined || kind === 'app-user') return [named]
  const { login } = probe.owner
  return kind === 'fine-grained' ? [login] : [login, undefined]
}

async function untestedAsValue<Value>(attempt: Promise<Value>): Promise<Value | Untested> {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof Untested) return error
    throw error
  }
}
