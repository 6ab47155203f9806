import type { Caller } from '../../http/caller.ts'
import type { CheckRecord, MissingToken } from '../../record/check-record.ts'
import { narrowest } from '../../run/needs/tokens.ts'
import type { Access, OwnerKind, Permissions } from '../../spec/needs.ts'
import { permissionCategories } from '../../spec/permissions.ts'

/** The token that would let most untested checks be judged. */
export interface TokenAdvice extends Pick<MissingToken, 'kind' | 'reach'> {
  readonly permissions: Permissions
  /** The permissions in words. */
  readonly held: string
  readonly checks: number
  /** How many endpoints those checks are about. */
  readonly endpoints: number
}

/** The single token that, added to the configuration, would unlock most endpoints; undefined where no check wants one. */
export function adviseToken(checks: readonly CheckRecord[]): TokenAdvice | undefined {
  const wanting = checks.filter(({ outcome, missingTokens }) => outcome === 'untested' && missingTokens)
  const rated = candidates(wanting).map((candidate) => {
    const unlocked = wanting.filter(({ missingTokens = [] }) => missingTokens.some((wanted) => serves(candidate, wanted)))
    const endpoints = new Set(unlocked.map(({ endpoint }) => endpoint)).size
    return { ...candidate, checks: unlocked.length, endpoints }
  })
  const [best] = rated.sort((a, b) => b.endpoints - a.endpoints || b.checks - a.checks)
  return best && best.checks > 0 ? best : undefined
}

/** The advice as a sentence for the end of a run; nothing where there is none. */
export function renderAdvice(checks: readonly CheckRecord[]): string[] {
  const advice = adviseToken(checks)
  if (!advice) return []
  const { kind, reach, held, endpoints, checks: unlocked } = advice
  const whose = reach === undefined ? '' : `${belonging[kind]} ${reach}, `
  return [
    `  the most useful additional token: kind ${kind}, ${whose}with ${held} (${unlocked} checks on ${endpoints} endpoints); add it to tokens`,
  ]
}

/** The member of a token's declaration that says whose it is. */
const belonging: Readonly<Record<MissingToken['kind'], string>> = {
  classic: 'login',
  'fine-grained': 'resourceOwner',
  'app-user': 'login',
  'app-installation': 'account',
  app: 'account',
}

type Candidate = Omit<TokenAdvice, 'checks' | 'endpoints'>

function serves(candidate: Candidate, { kind, reach, permissions, lacks }: MissingToken): boolean {
  if (candidate.kind !== kind || candidate.reach !== reach) return false
  const caller: Caller = { label: 'candidate', kind, permissions: candidate.permissions }
  const request = { kind, ...(permissions ? { permissions } : {}), ...(lacks ? { lacks } : {}) }
  return narrowest([caller], request, undefined) !== undefined
}

/** Tokens that a person could make for whoever is wanted: without permissions, with one, or with all of them at one level. */
function candidates(wanting: readonly CheckRecord[]): Candidate[] {
  const wanted = wanting.flatMap(({ missingTokens = [] }) => missingTokens)
  const whose = new Map(
    wanted.map(({ kind, reach }) => [`${kind} ${reach}`, { kind, ...(reach === undefined ? {} : { reach }) }]),
  )
  return [...whose.values()].flatMap((of) => permissionSets.map((set) => ({ ...of, ...set })))
}

const levels: readonly Access[] = ['read', 'write']

const permissionSets: readonly Pick<Candidate, 'permissions' | 'held'>[] = [
  { permissions: {}, held: 'no permission at all' },
  ...levels.map((access) => ({ permissions: all(access), held: `every listed permission at ${access}` })),
  ...permissionCategories.flatMap(({ owner, slug }) =>
    levels.map((access) => ({ permissions: { [owner]: { [slug]: access } }, held: `${owner}.${slug}: ${access}` })),
  ),
]

function all(access: Access): Permissions {
  const of = (kind: OwnerKind) =>
    Object.fromEntries(permissionCategories.filter(({ owner }) => owner === kind).map(({ slug }) => [slug, access]))
  return { organization: of('organization'), repository: of('repository'), user: of('user') }
}
