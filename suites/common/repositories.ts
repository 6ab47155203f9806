import type { CheckContext } from '../../src/suite/context.ts'
import { unlessUntested } from './proof.ts'

/** A repository by its two names. */
export type RepositoryName = { readonly owner: string; readonly repo: string }

/** `owner/repo` in its two parts. */
export function nameOf(fullName: string): RepositoryName {
  const [owner = '', repo = ''] = fullName.split('/')
  return { owner, repo }
}

/** Finds a repository of one kind. */
type Find = (t: CheckContext) => Promise<RepositoryName | undefined>

const publicRepository = (t: CheckContext) => t.ask('public-repository', {})

/** The kinds of repositories. A rule about repositories is judged on each of them (readings G20). */
const repositoryKinds = {
  public: publicRepository,
  fork: async (t) => {
    const { fork } = await publicRepository(t)
    return fork === undefined ? undefined : nameOf(fork)
  },
  private: (t) => t.ask('private-repository', {}),
} satisfies Record<string, Find>

export type RepositoryKind = keyof typeof repositoryKinds

/** The repository of a kind; undefined where none is known. */
export function repositoryOf(t: CheckContext, kind: RepositoryKind) {
  return unlessUntested<RepositoryName | undefined>(repositoryKinds[kind](t))
}
