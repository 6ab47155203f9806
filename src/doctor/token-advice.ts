import type { TokenConfig } from '../config/config.ts'
import type { Caller } from '../http/exchange/caller.ts'
import type { MissingToken } from '../record/reason.ts'
import { narrowest } from '../run/needs/tokens.ts'
import type { Access, OwnerKind, Permissions } from '../spec/needs.ts'
import { permissionCategories } from '../spec/permissions.ts'

/** A token to create, with its declaration. */
export interface TokenAdvice extends Pick<MissingToken, 'kind' | 'reach'> {
  readonly permissions: Permissions
  /** The permissions in words. */
  readonly held: string
  /** How many checks ask for a token that this one could be. */
  readonly checks: number
}

/** The single token that most of the missing ones could be; undefined where none is missing. */
export function adviseToken(missing: readonly (readonly MissingToken[])[]): TokenAdvice | undefined {
  const rated = candidates(missing.flat()).map((candidate) => ({
    ...candidate,
    checks: missing.filter((tokens) => tokens.some((wanted) => serves(candidate, wanted))).length,
  }))
  const [best] = rated.sort((a, b) => b.checks - a.checks)
  return best && best.checks > 0 ? best : undefined
}

/** The token in words: `kind app-user, login mona, with every listed permission at read`. */
export function adviceText({ kind, reach, held }: TokenAdvice): string {
  return `kind ${kind}, ${reach === undefined ? '' : `${belonging[kind]} ${reach}, `}with ${held}`
}

/** The token as the configuration would declare it, with a secret that opens nothing. */
export function advisedToken({ kind, reach, permissions }: TokenAdvice): TokenConfig {
  const whose = reach === undefined ? {} : { [belonging[kind]]: reach }
  return { kind, permissions, secret: 'a-secret-that-opens-nothing', ...whose }
}

/** The member of a token's declaration that says whose it is. */
const belonging = {
  classic: 'login',
  'fine-grained': 'resourceOwner',
  'app-user': 'login',
  'app-installation': 'account',
  app: 'account',
} as const satisfies Record<MissingToken['kind'], keyof TokenConfig>

type Candidate = Omit<TokenAdvice, 'checks'>

function serves(candidate: Candidate, { kind, reach, permissions, lacks }: MissingToken): boolean {
  if (candidate.kind !== kind || candidate.reach !== reach) return false
  const caller: Caller = { label: 'candidate', kind, permissions: candidate.permissions }
  const request = { kind, ...(permissions ? { permissions } : {}), ...(lacks ? { lacks } : {}) }
  return narrowest([caller], request, undefined) !== undefined
}

/** The tokens that a person could create for each wanted account: without permissions, with one, or with all at one level. */
function candidates(wanted: readonly MissingToken[]): Candidate[] {
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
