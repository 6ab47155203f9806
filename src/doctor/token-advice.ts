import type { TokenConfig } from '../config/config.ts'
import type { MissingToken } from '../record/reason.ts'
import { narrowest } from '../run/needs/tokens.ts'
import type { OwnerKind, Permissions } from '../spec/needs.ts'
import { permissionCategories } from '../spec/permissions/permissions.ts'

/** The member of a token's declaration that names its owner. */
const belonging = {
  classic: 'login',
  'fine-grained': 'resourceOwner',
  'app-user': 'login',
  'app-installation': 'account',
  app: 'account',
} as const satisfies Record<MissingToken['kind'], keyof TokenConfig>

/** The single token that most of the missing ones could be, declared and in words, with its number of checks; undefined if none is missing. */
export function adviseToken(missing: readonly (readonly MissingToken[])[]) {
  const owners = new Map(missing.flat().map((wanted) => [`${wanted.kind} ${wanted.reach}`, wanted]))
  const rated = [...owners.values()].flatMap(({ kind, reach }) =>
    permissionSets.map(([held, permissions]) => {
      const whose = reach === undefined ? {} : { [belonging[kind]]: reach }
      const caller = { label: 'advised', kind, permissions }
      const isServed = (wanted: MissingToken) =>
        wanted.kind === kind &&
        wanted.reach === reach &&
        narrowest([caller], wanted, undefined) !== undefined
      return {
        token: { kind, permissions, secret: 'a-secret-that-opens-nothing', ...whose },
        text: `a token of kind ${kind}${Object.entries(whose).map((member) => `, ${member.join(' ')}`)}, with ${held}`,
        checks: missing.filter((tokens) => tokens.some(isServed)).length,
      }
    }),
  )
  const [best] = rated.sort((a, b) => b.checks - a.checks)
  return best && best.checks > 0 ? best : undefined
}

/** The permissions that a person could choose: none, all at one level, or one. */
const permissionSets: readonly (readonly [held: string, permissions: Permissions])[] = [
  ['no permission at all', {}],
  ['every category of docs/areas/permissions.md at read', all('read')],
  ['every category of docs/areas/permissions.md at write', all('write')],
  ...permissionCategories.flatMap(({ owner, slug }) =>
    (['read', 'write'] as const).map(
      (access) => [`${owner}.${slug}: ${access}`, { [owner]: { [slug]: access } }] as const,
    ),
  ),
]

function all(access: 'read' | 'write') {
  const of = (kind: OwnerKind) =>
    Object.fromEntries(
      permissionCategories.filter(({ owner }) => owner === kind).map(({ slug }) => [slug, access]),
    )
  return { organization: of('organization'), repository: of('repository'), user: of('user') }
}
