import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { unlessUntested } from './proof.ts'

/** A repository by its two names. */
export type RepositoryName = { readonly owner: string; readonly repo: string }

/** A repository, and its reader where the usual one does not read it. */
type Place = RepositoryName & { readonly as?: Caller }

/** `owner/repo` in its two parts. */
export function nameOf(fullName: string): RepositoryName {
  const [owner = '', repo = ''] = fullName.split('/')
  return { owner, repo }
}

/** The kinds of repositories. A rule about repositories is judged on each of them (readings G20). */
export type RepositoryKind = 'public' | 'fork' | 'private'

async function placeOf(t: CheckContext, kind: RepositoryKind): Promise<Place | undefined> {
  if (kind === 'private') return t.ask('private-repository', {})
  const known = await t.ask('public-repository', {})
  if (kind === 'public') return known
  // A fork is public: in the newer version, its events are read without a token.
  return known.fork === undefined
    ? undefined
    : { ...nameOf(known.fork), ...(isLatest(t) && { as: anonymous }) }
}

/** The repository of a kind; undefined where none is known. */
export function repositoryOf(t: CheckContext, kind: RepositoryKind) {
  return unlessUntested(placeOf(t, kind))
}
