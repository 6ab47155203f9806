import type { Caller } from '../../src/http/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { TokenKind } from '../../src/spec/needs.ts'
import type { CheckContext } from '../../src/suite/context.ts'

const permissions = { repository: { metadata: 'read' } } as const

/**
 * A token of a kind that works elsewhere (readings G4): on the events of a private repository, which ask for the
 * permission it holds, or where none is given on the public events.
 */
export async function provenToken(
  t: CheckContext,
  kind: TokenKind,
  secret: { readonly owner: string; readonly repo: string } | undefined,
): Promise<Caller> {
  const account = secret?.owner
  const token = await t.tokenFor({
    kind,
    permissions,
    ...(kind === 'app-installation' ? {} : { of: 'owner' as const }),
    ...(account === undefined || kind === 'app-user' ? {} : { account }),
  })
  const answer = secret
    ? await t.read({ endpoint: endpoints.repositoryEvents, params: { ...secret }, as: token })
    : await t.read({ endpoint: endpoints.publicEvents, as: token })
  if (answer.status === 200) return token
  return t.untested(`the token ${token.label} fails elsewhere as well (${answer.status}), so its rejection proves nothing`)
}
