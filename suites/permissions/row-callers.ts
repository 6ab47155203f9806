import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { Role } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { optional, type Resolved, role } from '../../src/suite/needs.ts'
import { type MissingNeed, Untested } from '../../src/suite/untested.ts'
import { inventedToken, unlessUntested } from '../common/proof.ts'
import type { Attempt } from './evidence.ts'
import { aspectsOf, type RowAspect } from './row-aspects.ts'
import { RowProbe } from './row-probe.ts'
import { describeToken, type Holding, isShared, type MatrixKind, matrixKinds, tokenRequest } from './row-tokens.ts'

/** The owners' tokens: the control of every verdict. An organisation's rows are judged as its owner, if one is configured. */
export const ownerNeeds = { organizationOwner: optional(role('org-owner')), owner: optional(role('owner')) }

/** A caller of a row, with the probe whose control is the caller's own user, or the account's owner. */
export interface RowCaller {
  readonly caller: Caller
  readonly probe: RowProbe
  readonly attempt: (t: CheckContext) => Promise<Attempt>
}

/** The callers of one row. */
export class Row {
  readonly row: PermissionRow
  readonly #owners: Resolved<typeof ownerNeeds>

  constructor(row: PermissionRow, owners: Resolved<typeof ownerNeeds>) {
    this.row = row
    this.#owners = owners
  }

  /** The callers that an aspect concerns, each token once. Throws {@link Untested} when there is none. */
  async callersOf(t: CheckContext, { expects, kind, holdings }: RowAspect): Promise<RowCaller[]> {
    const callers = new Map<string | undefined, RowCaller>()
    let missing: Untested | undefined
    if (holdings.length === 0) {
      const [first] = await this.#probes(t)
      return first ? [rejected(first.probe, expects === 'anonymous' ? anonymous : inventedToken)] : []
    }
    for (const each of kind ? [kind] : matrixKinds.filter((name) => this.row.kinds.includes(name))) {
      for (const holding of holdings) {
        const next = await orUntested(this.#caller(t, each, holding))
        if (next instanceof Untested) missing ??= next
        else if (!callers.has(next.caller.secret)) callers.set(next.caller.secret, next)
      }
    }
    if (callers.size === 0 && missing) throw missing
    return [...callers.values()]
  }

  /** The token of a kind that fits best, for the first owner that has one. Throws {@link Untested} when none has. */
  async #caller(t: CheckContext, kind: MatrixKind, holding: Holding): Promise<RowCaller> {
    const missing: MissingNeed[] = []
    for (const { probe, role } of await this.#probes(t)) {
      for (const account of await accountsOf(t, probe, kind)) {
        const caller = await orUntested(t.tokenFor(tokenRequest(this.row, kind, role, account, holding)))
        if (caller instanceof Untested) missing.push(...caller.missing)
        else if (holding === 'granted') return { probe, caller, attempt: (once) => probe.permitted(once, caller) }
        else return rejected(probe, caller)
      }
    }
    throw new Untested(describeToken(this.row, kind, holding), missing.slice(0, 1))
  }

  async #probes(t: CheckContext): Promise<{ probe: RowProbe; role: Role }[]> {
    const { organizationOwner, owner } = this.#owners
    const usual: Role = isShared(this.row) ? 'org-owner' : 'owner'
    const owners: readonly { role: Role; caller: Caller | undefined }[] = [
      ...(usual === 'owner' ? [] : [{ role: usual, caller: organizationOwner }]),
      { role: 'owner', caller: owner },
    ]
    const known = owners.flatMap(({ role, caller }) => (caller ? [{ role, caller }] : []))
    if (known.length === 0) return t.missing({ type: 'role', role: usual }, 'no token of an owner is configured')
    return Promise.all(known.map(async ({ role, caller }) => ({ role, probe: await this.#probe(t, caller) })))
  }

  #probe(t: CheckContext, owner: Caller): Promise<RowProbe> {
    return RowProbe.of(t, this.row, owner, async (once, expected) => {
      const callers: RowCaller[] = []
      for (const aspect of aspectsOf(this.row).filter(({ expects }) => expected.includes(expects)))
        callers.push(...((await unlessUntested(this.callersOf(once, aspect))) ?? []))
      return callers.flatMap(({ caller, probe }) => (probe.owner === owner ? [caller] : []))
    })
  }
}

function rejected(probe: RowProbe, caller: Caller): RowCaller {
  return { probe, caller, attempt: (t) => probe.rejected(t, caller) }
}

/**
 * The accounts that a token can be on: the organisation or the repository's owner, a user's own for fine-grained tokens (readings
 * F17), and for installations, which have no user, the owner's own before any other.
 */
async function accountsOf(t: CheckContext, probe: RowProbe, kind: MatrixKind): Promise<(string | undefined)[]> {
  const { params } = (await probe.object(t)).request
  const named = params.org ?? params.owner
  if (named !== undefined || kind === 'app-user') return [named]
  const { login } = probe.owner
  return kind === 'fine-grained' ? [login] : [login, undefined]
}

/** Ends the check unless a repository is private: a public one may be served to all callers (readings F3). */
export async function requirePrivate(t: CheckContext, probe: RowProbe): Promise<void> {
  const { owner, repo } = (await probe.object(t)).request.params
  if (owner === undefined || repo === undefined) return
  const isPrivate = await t.shared(`private ${owner}/${repo}`, async (once) => {
    const declared = await unlessUntested(once.ask('private-repository', {}))
    if (`${declared?.owner}/${declared?.repo}`.toLowerCase() === `${owner}/${repo}`.toLowerCase()) return true
    const feed = { endpoint: endpoints.repositoryEvents, params: { owner, repo }, query: { per_page: 1 } }
    const [own, others] = [await once.read({ ...feed, as: probe.owner }), await once.read({ ...feed, as: anonymous })]
    return own.ok && others.refused
  })
  if (!isPrivate)
    t.untested(`rejections are judged only on private repositories, and ${owner}/${repo} is not known to be private`)
}

async function orUntested<Value>(attempt: Promise<Value>): Promise<Value | Untested> {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof Untested) return error
    throw error
  }
}
