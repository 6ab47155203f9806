import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { MissingNeed } from '../../src/record/reason.ts'
import { type MatrixKind, matrixKinds } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions/permissions.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { optional, type Resolved, role } from '../../src/suite/needs.ts'
import { Untested } from '../../src/suite/untested.ts'
import { inventedToken, unlessUntested } from '../common/proof.ts'
import {
  aspectsOf,
  describeToken,
  type Holding,
  isPublicList,
  isShared,
  type RowAspect,
  tokenRequest,
} from './row-aspects.ts'
import { isRepeated, RowProbe, type Sender } from './row-probe.ts'

/** The owners' tokens: the control of every verdict. An organization's rows are judged as its owner, if one is configured. */
export const ownerNeeds = {
  organizationOwner: optional(role('org-owner')),
  owner: optional(role('owner')),
}

/** A caller of a row, with the probe whose control is the caller's own user, or the account's owner. */
interface RowCaller extends Sender {
  readonly probe: RowProbe
}

/** The permissions of the tokens that an aspect tries; a caller, if it tries no valid token. */
const callersBy: Readonly<Record<RowAspect['expects'], readonly Holding[] | Caller>> = {
  granted: ['granted'],
  denied: ['nothing', 'others'],
  'read-only': ['read-only'],
  refused: ['listed', 'any'],
  anonymous,
  'invalid-token': inventedToken,
  header: ['granted', 'nothing'],
}

/** The claims whose callers must all be refused. */
const refusing: ReadonlySet<RowAspect['expects']> = new Set([
  'denied',
  'read-only',
  'refused',
  'anonymous',
  'invalid-token',
])

/** The callers of one row. */
export class Row {
  readonly row: PermissionRow
  readonly #owners: Resolved<typeof ownerNeeds>

  constructor(row: PermissionRow, owners: Resolved<typeof ownerNeeds>) {
    this.row = row
    this.#owners = owners
  }

  /** The callers that an aspect concerns, each token once. Throws {@link Untested} when there is none. */
  async callersOf(t: CheckContext, { expects, kind }: Pick<RowAspect, 'expects' | 'kind'>) {
    const wanted = callersBy[expects]
    if ('label' in wanted) {
      const [first] = await this.#probes(t)
      return first ? inOtherForms(t, this.row, [{ probe: first.probe, caller: wanted }]) : []
    }
    const kinds = kind ? [kind] : matrixKinds.filter((name) => this.row.kinds.includes(name))
    // A public list serves every token. The older version is tried with tokens that have further permissions.
    const entitling = isLatest(t) ? 'granted' : 'beside'
    const holdings = wanted
      .filter((holding) => holding !== 'nothing' || !isPublicList(this.row))
      .map((holding) => (holding === 'granted' ? entitling : holding))
    const callers = new Map<string | undefined, RowCaller>()
    let missing: Untested | undefined
    for (const name of kinds)
      for (const holding of holdings) {
        const next = await orUntested(this.#caller(t, name, holding))
        if (next instanceof Untested) missing ??= next
        else if (!callers.has(next.caller.secret)) callers.set(next.caller.secret, next)
      }
    if (callers.size === 0 && missing) throw missing
    const found = [...callers.values()]
    return refusing.has(expects) ? inOtherForms(t, this.row, found) : found
  }

  /**
   * The control: the attempt of a token with the permission if it is served, else that of the owner. In the older version, the owner
   * reads first, because a target may keep the grant for others.
   */
  async control(t: CheckContext, probe: RowProbe) {
    const isFirst = this.row.access === 'read' && !isLatest(t)
    const read = isFirst ? await probe.permitted(t) : undefined
    if (read?.response.ok) return read
    const { request } = await probe.object(t)
    for (const aspect of request.basis === 'absent' ? [] : aspectsOf(this.row)) {
      const callers =
        aspect.expects === 'granted' && (await unlessUntested(this.callersOf(t, aspect)))
      const entitled = callers ? callers.find((caller) => caller.probe === probe) : undefined
      const own = entitled && (await probe.attempt(t, entitled))
      if (own?.response.ok) return own
    }
    return probe.permitted(t)
  }

  /** The callers of all claims whom a probe must refuse, each once in each form. */
  readonly #strangers = async (t: CheckContext, probe: RowProbe) => {
    const callers = new Map<string, Sender>()
    for (const aspect of aspectsOf(this.row).filter(({ expects }) => refusing.has(expects))) {
      const found = (await unlessUntested(this.callersOf(t, aspect))) ?? []
      for (const each of found.filter((other) => other.probe === probe))
        callers.set(`${each.caller.secret} ${each.bare}`, each)
    }
    return [...callers.values()]
  }

  /** The token of a kind that fits best, for the first owner that has one. Throws {@link Untested} when none has. */
  async #caller(t: CheckContext, kind: MatrixKind, holding: Holding) {
    const missing: MissingNeed[] = []
    for (const { probe, role } of await this.#probes(t)) {
      for (const account of await accountsOf(t, probe, kind, holding)) {
        const caller = await orUntested(
          t.tokenFor(tokenRequest(this.row, kind, role, account, holding)),
        )
        if (!(caller instanceof Untested))
          return { probe, caller, entitled: ['granted', 'beside'].includes(holding) }
        missing.push(...caller.missing)
      }
    }
    throw new Untested(describeToken(this.row, kind, holding), missing.slice(0, 1))
  }

  async #probes(t: CheckContext) {
    const { organizationOwner, owner } = this.#owners
    const owners = [
      ...(organizationOwner && isShared(this.row)
        ? [{ role: 'org-owner', caller: organizationOwner } as const]
        : []),
      ...(owner ? [{ role: 'owner', caller: owner } as const] : []),
    ]
    const usual = isShared(this.row) ? 'org-owner' : 'owner'
    if (owners.length === 0)
      return t.missing({ type: 'role', role: usual }, 'no token of an owner is configured')
    return Promise.all(
      owners.map(async ({ role, caller }) => ({
        role,
        probe: await RowProbe.of(t, this.row, caller, this.#strangers),
      })),
    )
  }
}

/**
 * The first caller sends the usual request and the others the bare one. A single caller sends both, or the bare one for all: for a
 * write, in the older version, or if the token was invented (readings G11, G20). A read is tried again with one kind of token.
 */
function inOtherForms(
  t: CheckContext,
  row: PermissionRow,
  [first, ...others]: readonly RowCaller[],
): RowCaller[] {
  if (!first) return []
  const isAlone = others.length === 0
  const isRead = row.access === 'read'
  const isAgain = isRead && isRepeated(t, row, first)
  const isApp = first.caller.kind === 'app-user'
  const isUsual = isApp || isAgain || (isRead && isLatest(t) && first.caller !== inventedToken)
  const again = isAlone || isAgain ? [first] : []
  const bare = [...again, ...others].map((each) => ({ ...each, bare: true as const }))
  return isAlone && !isUsual ? bare : [first, ...bare]
}

/** The possible accounts of a token: the organization or the repository's owner, else the user's own (readings F17). */
async function accountsOf(t: CheckContext, probe: RowProbe, kind: MatrixKind, holding: Holding) {
  const { params } = (await probe.object(t)).request
  const named = params.org ?? params.owner
  if (named !== undefined || kind === 'app-user') return [named]
  const { login } = probe.owner
  if (kind === 'fine-grained') return [login]
  // A row of a user rejects the installations on an organization as well.
  const other = holding === 'any' ? await unlessUntested(t.ask('organization', {})) : undefined
  return [...(other ? [other.org] : []), login, undefined]
}

async function orUntested<Value>(attempt: Promise<Value>) {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof Untested) return error
    throw error
  }
}
