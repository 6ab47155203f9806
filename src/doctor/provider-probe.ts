import type { ReachableConfig } from '../config/config.ts'
import { tryConnect } from '../http/transport/reach.ts'
import { needCatalogue } from '../run/needs/need-catalogue.ts'
import { moduleMembers, openProvider } from '../run/needs/provider.ts'
import { latestVersion } from '../spec/versions.ts'
import { guess, messageOf } from '../text/errors.ts'
import type { Obstacle } from './obstacle.ts'

/** Why the provider cannot be asked: its module does not load, nothing listens at its URL, or it does not speak the protocol. It is asked in the name of `run`. */
export async function providerObstacle(config: ReachableConfig, run: string): Promise<Obstacle | undefined> {
  const { provider: address } = config
  if (address === undefined) return undefined
  const isUrl = /^https?:\/\//.test(address)
  const { timeoutSeconds } = config.limits
  const failure = isUrl ? await tryConnect(address, timeoutSeconds * 1000) : undefined
  if (failure) {
    const { origin, pathname } = new URL(address)
    return {
      kind: 'unreachable',
      sentence: `the provider at ${origin}${pathname} does not answer: ${failure.reason}. Start it, or remove "provider" from the configuration`,
    }
  }
  try {
    const provider = await openProvider(address, {
      run,
      apiVersion: config.versions[0] ?? latestVersion,
      timeoutSeconds,
    })
    // Most checks need the owner's login. Objects that the provider made for this question are released at once.
    if (isUrl) await provider.ask('user', { role: 'owner' }).finally(() => provider.release().catch(() => undefined))
    return undefined
  } catch (error) {
    const next = isUrl
      ? '"service-conformance provider check" shows what it answers'
      : 'Correct it, or remove "provider" from the configuration'
    return { kind: 'configuration', sentence: `${messageOf(error)}. ${next}` }
  }
}

/** The needs that a provider module has functions for; undefined for a provider behind a URL, which decides when it is asked. */
export async function providerNeeds(address: string): Promise<ReadonlySet<string> | undefined> {
  if (/^https?:\/\//.test(address)) return undefined
  return new Set(await moduleMembers(address))
}

/** Functions of a provider module that no need is called like, with the likely slip; none for a URL. */
export async function moduleSlips(address: string): Promise<string[]> {
  const names = [...((await providerNeeds(address)) ?? [])]
  const known = [...needCatalogue.keys()]
  return names
    .filter((name) => name !== 'release' && !known.includes(name))
    .map((name) => `the provider module has a function "${name}", which no check asks for${guess(kebab(name), known)}`)
}

/** `unreadThread` as `unread-thread`. */
function kebab(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}
