import { AsyncLocalStorage } from 'node:async_hooks'

const scopes = new AsyncLocalStorage<string>()

/** Runs work under the name of a check, or of a task that several checks share. Recordings find requests by this name. */
export function inScope<Result>(name: string, work: () => Result): Result {
  return scopes.run(name, work)
}

/** The name of the current work; empty outside of {@link inScope}. */
export function currentScope(): string {
  return scopes.getStore() ?? ''
}
