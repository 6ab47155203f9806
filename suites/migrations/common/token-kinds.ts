import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { TokenKind } from '../../../src/spec/needs.ts'
import type { CheckContext } from '../../../src/suite/context.ts'

const permissions = { repository: { metadata: 'read' } } as const

/** The owner's token of a kind, or an installation's, which may read the private repository where one is given. */
export function tokenOfKind(
  t: CheckContext,
  kind: TokenKind,
  secret: { readonly owner: string; readonly repo: string } | undefined,
): Promise<Caller> {
  const account = secret?.owner
  return t.tokenFor({
    kind,
    permissions,
    ...(kind === 'app-installation' ? {} : { of: 'owner' as const }),
    ...(account === undefined || kind === 'app-user' ? {} : { account }),
  })
}
