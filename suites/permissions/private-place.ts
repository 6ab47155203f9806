import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { unlessUntested } from '../common/proof.ts'

/** Ends the check unless a repository is private: what is public may be served to anyone (readings F3). */
export async function privateOnly(t: CheckContext, params: Readonly<Record<string, string>>, owner: Caller): Promise<void> {
  const { owner: name, repo } = params
  if (name === undefined || repo === undefined) return
  const known = await t.shared(`private ${name}/${repo}`, (once) => isPrivate(once, name, repo, owner))
  if (!known) t.untested(`rejections are judged only on private repositories, and ${name}/${repo} is not known to be private`)
}

async function isPrivate(t: CheckContext, owner: string, repo: string, as: Caller): Promise<boolean> {
  const declared = await unlessUntested(t.ask('private-repository', {}))
  if (declared?.owner.toLowerCase() === owner.toLowerCase() && declared.repo.toLowerCase() === repo.toLowerCase()) return true
  const feed = { endpoint: endpoints.repositoryEvents, params: { owner, repo }, query: { per_page: 1 } }
  const [own, nobody] = [await t.read({ ...feed, as }), await t.read({ ...feed, as: anonymous })]
  return own.ok && nobody.refused
}
