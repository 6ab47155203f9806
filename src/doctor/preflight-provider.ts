import type { Config, ReachableConfig } from '../config/config.ts'
import { tryConnect } from '../http/transport/connection/reach.ts'
import { isUrl, moduleMembers, openProvider, plainAddress } from '../run/needs/provider.ts'
import { latestVersion } from '../spec/versions.ts'
import { catalogueOf } from '../suite/catalogue.ts'
import { didYouMean, messageOf } from '../text/errors.ts'
import type { Obstacle } from './reachability.ts'

/** Why the provider cannot be asked: its module does not load, nothing listens at its URL, or it does not speak the protocol. It is asked in the name of `run`. */
export async function providerObstacle(
  { provider: address, limits: { timeoutSeconds }, versions }: ReachableConfig,
  run: string,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  if (address === undefined) return undefined
  const remove = 'or remove "provider" from the configuration'
  const failure = isUrl(address)
    ? await tryConnect(address, timeoutSeconds * 1000, signal)
    : undefined
  if (failure) {
    const sentence = `the provider at ${plainAddress(address)} does not respond: ${failure.reason}. Start it, ${remove}`
    return { kind: 'unreachable', sentence }
  }
  try {
    const provider = await openProvider(address, {
      run,
      apiVersion: versions[0] ?? latestVersion,
      timeoutSeconds,
      signal,
    })
    // Most checks need the owner's login. Objects that the provider made for this question are released at once.
    if (isUrl(address))
      await provider
        .ask('user', { role: 'owner' })
        .finally(() => provider.release().catch(() => undefined))
    return undefined
  } catch (error) {
    const next = isUrl(address)
      ? '"npx service-conformance provider check" prints its responses'
      : `Correct it, ${remove}`
    return { kind: 'configuration', sentence: `${messageOf(error)}. ${next}` }
  }
}

/** The needs for which a provider module has functions; undefined for a provider behind a URL, which decides at each request. */
export async function providerNeeds(address: string) {
  return isUrl(address) ? undefined : new Set(await moduleMembers(address))
}

/** The functions of a provider module whose names are no names of needs, each with the nearest name. None for a URL or without a provider. */
export async function moduleSlips(config: Config) {
  const { provider: address } = config
  const names = address === undefined ? [] : ((await providerNeeds(address)) ?? [])
  const known = [...catalogueOf(config).needs.keys()]
  const kebab = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, '-').toLowerCase()
  return [...names]
    .filter((name) => name !== 'release' && !known.includes(name))
    .map(
      (name) =>
        `the provider module has a function "${name}", which no check asks for${didYouMean(kebab(name), known)}`,
    )
}
