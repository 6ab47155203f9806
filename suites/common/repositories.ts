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

/** Finds a repository of one kind. */
type Find = (t: CheckContext) => Promise<Place | undefined>

const publicRepository = (t: CheckContext) => t.ask('public-repository', {})

/** The kinds of repositories. A rule about repositories is judged on each of them (readings G20). */
const repositoryKinds = {
  public: publicRepository,
  fork: async (t) => {
    const { fork } = await publicRepository(t)
    // A fork is public: in the newer version, its events are read without a token.
    return fork === undefined
      ? undefined
      : { ...nameOf(fork), ...(isLatest(t) && { as: anonymous }) }
  },
  private: (t) => t.ask('private-repository', {}),
} satisfies Record<string, Find>

export type RepositoryKind = keyof typeof repositoryKinds

/** The repository of a kind; undefined where none is known. */
export function repositoryOf(t: CheckContext, kind: RepositoryKind) {
  return unlessUntested<Place | undefined>(repositoryKinds[kind](t))
}
