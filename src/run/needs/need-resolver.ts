import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Dialect } from '../../http/dialect/dialect.ts'
import { anonymous, type Caller, labelOf } from '../../http/exchange/caller.ts'
import { NotSent } from '../../http/exchange/no-response.ts'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { GivenNeed } from '../../record/check-record.ts'
import { howText, type MissingNeed, type MissingToken } from '../../record/reason.ts'
import type { NeedName, Permissions, Role } from '../../spec/needs.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import { catalogueOf } from '../../suite/catalogue.ts'
import type { NeedMap, NeedRef, TokenRequest } from '../../suite/needs.ts'
import { Untested } from '../../suite/untested.ts'
import { atPointer, defined, groupBy, remembered } from '../../text/data.ts'
import { cut, printable } from '../../text/format.ts'
import { agrees, declaredRequests, isMeantFor, problemWith, staticValues } from './given-values.ts'
import type { Provider } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { callersOf, narrowest } from './tokens.ts'

/** The longest given value that a report repeats. Characters. */
const givenLimit = 400

/** The sources of the needs of one version. */
export interface NeedSources {
  readonly config: Config
  readonly version: ApiVersion
  readonly provider: Provider | undefined
  readonly redactor: Redactor
  readonly dialect: Dialect
}

/** Resolves the needs of checks. One per version. */
export type NeedResolver = ReturnType<typeof needResolver>

/** Resolves the needs of checks from static values first, then from the provider. */
export function needResolver({ config, version, provider, redactor, dialect }: NeedSources) {
  const catalogue = catalogueOf(config)
  const callers = callersOf(config.tokens, redactor)
  const cached = new Map<string, Promise<unknown>>()
  const consumed = new Set<unknown>()
  /** Configured consumables on which an effect was missed: they serve again where no unused one is left. */
  const unchanged = new Set<unknown>()
  let mayServeAgain = false
  const givenNeeds = new WeakMap<object, GivenNeed>()

  for (const name of Object.keys(config.needs)) redactSecrets(name, ...stated(name))
  return { resolve, resolveOne, describe, setAside, giveBack, wasGivenFor }

  /** All needs of a check, by its own names. Throws {@link Untested} with all missing ones, or {@link NotSent}. */
  async function resolve(needs: NeedMap) {
    const missing: MissingNeed[] = []
    const unsent: NotSent[] = []
    const resolved: Record<string, unknown> = {}
    for (const [key, wanted] of Object.entries(needs)) {
      try {
        resolved[key] = await resolveOne(wanted)
      } catch (error) {
        if (error instanceof NotSent) unsent.push(error)
        else if (!(error instanceof Untested)) throw error
        else if (!wanted.optional) missing.push(...error.missing)
      }
    }
    if (missing.length === 0 && unsent.length === 0) return resolved
    if (missing.length === 0) throw unsent[0]
    // The check will not run, so its consumables are free for others.
    for (const value of Object.values(resolved)) consumed.delete(value)
    const sentences = new Set(missing.map((each) => `needs ${each.need}: ${howText(each)}`))
    throw new Untested([...sentences].join('; '), missing)
  }

  /** The value of one need. Throws {@link Untested} if neither the configuration nor the provider has one. */
  async function resolveOne(wanted: NeedRef) {
    const { paths, rateLimit } = config.target
    if (wanted.type === 'need') return named(wanted.name, wanted.with)
    if (wanted.type === 'role') return configured(wanted, callerOf(wanted.role))
    if (wanted.type === 'token') return token(wanted.request)
    if (wanted.type === 'login') return loginOf(wanted.role)
    if (wanted.type === 'reader') return callerOf('owner') ?? anonymous
    return configured(wanted, wanted.type === 'path' ? paths[wanted.name] : rateLimit)
  }

  /** The source of a value, for reports: the provider, or a configured token without a variable for its secret. */
  function describe(value: unknown): GivenNeed | undefined {
    if (typeof value !== 'object' || value === null) return undefined
    const index = callers.findIndex(({ label }) => label === (value as Caller).label)
    const token = config.tokens[index]
    const name = callers[index]?.label
    if (token === undefined || name === undefined || token.variable !== undefined)
      return givenNeeds.get(value)
    return {
      need: 'token',
      from: 'configuration',
      name,
      with: JSON.stringify({ ...token, secret: undefined }),
    }
  }

  /** Keeps the consumables of a check that missed an effect for its confirmation. */
  function setAside(values: Iterable<unknown>) {
    for (const value of values) unchanged.add(value)
  }

  /** Lets the consumables that were set aside serve again. */
  function giveBack() {
    mayServeAgain = true
  }

  /** True for a value that a check received for this need. */
  function wasGivenFor(name: string, value: unknown) {
    if (typeof value !== 'object' || value === null) return false
    if (
      givenNeeds.get(value)?.need === name ||
      (name === 'token' && callers.includes(value as Caller))
    )
      return true
    if (name === 'version-request')
      return ((value as { requests?: unknown[] }).requests ?? []).length > 0
    return stated(name).includes(value)
  }

  /** The values of the configuration. */
  function stated(name: string): unknown[] {
    return staticValues(config.needs[name])
  }

  function configured<Value>(wanted: NeedRef, value: Value | undefined): Value {
    if (value !== undefined) return value
    const missing = catalogue.missing(wanted)
    throw new Untested(`${missing.need} is not configured`, [missing])
  }

  function callerOf(role: Role) {
    return callers.find((caller) => caller.role === role)
  }

  async function loginOf(role: Role) {
    return callerOf(role)?.login ?? ((await named('user', { role })) as { login: string }).login
  }

  function token({ instead, ...wanted }: TokenRequest) {
    return tokenWith(wanted).catch((error: unknown) => {
      if (!(error instanceof Untested) || !instead) throw error
      return tokenWith({ ...wanted, ask: instead })
    })
  }

  async function tokenWith(wanted: TokenRequest) {
    const login = wanted.of === undefined ? undefined : await loginOf(wanted.of)
    const configured = narrowest(callers, wanted, login)
    if (configured) return configured
    const { kind, scopes, account, permissions, ask = permissions } = wanted
    const owner =
      account === undefined
        ? {}
        : { [kind === 'fine-grained' ? 'resourceOwner' : 'account']: account }
    const specifics = { ...defined({ kind, login, permissions: ask, scopes }), ...owner }
    const given = (await named('token', specifics).catch((error: unknown) => {
      if (!(error instanceof Untested)) throw error
      const token = missingToken(wanted, login)
      const missing = error.missing.map((one) => ({ ...one, token }))
      throw new Untested(error.message, missing)
    })) as { secret: string; login?: string }
    // A hash distinguishes the tokens of a kind. It depends on the request alone, so that every run has the same names.
    const hash = createHash('sha256').update(JSON.stringify(specifics)).digest('hex').slice(0, 8)
    const label = labelOf(`${wanted.kind}-${hash}`)
    redactor.add(given.secret, label)
    const caller = { ...specifics, ...defined({ login: given.login }), secret: given.secret, label }
    const { from = 'configuration' } = givenNeeds.get(given) ?? {}
    givenNeeds.set(caller, { need: 'token', from, name: label, with: JSON.stringify(specifics) })
    return caller
  }

  async function named(name: string, specifics: unknown) {
    const need = catalogue.needs.get(name)
    if (!need) throw new Error(`there is no schemas/needs/${name}.schema.json`)
    if (need.kind === 'action') return ask(name, specifics)
    const values = stated(name).filter((value) => agrees(value, specifics, dialect))
    if (need.kind === 'consumable') return nextUnused(name, values) ?? ask(name, specifics)
    const key = JSON.stringify([name, specifics])
    return remembered(cached, key, () => valueFor(name, specifics, values))
  }

  async function valueFor(name: string, specifics: unknown, values: readonly unknown[]) {
    if (name === 'version-request') {
      // A list is one value of this need, not one of several.
      const { change } = specifics as { change?: number }
      const declared = declaredRequests(config.needs[name], change)
      return declared ?? declaredRequests(await ask(name, specifics), change) ?? { requests: [] }
    }
    return (
      values.find((value) => isMeantFor(value, specifics, dialect)) ??
      values[0] ??
      ask(name, specifics)
    )
  }

  /** The next value of a consumable: one that is restored after each use, or an unused one of this version. */
  function nextUnused(name: string, values: readonly unknown[]) {
    const putBack = values.find(
      (value) => [(value as { restore?: unknown } | null)?.restore ?? []].flat().length > 0,
    )
    if (putBack !== undefined) return putBack
    const next = share(name).find((value) => values.includes(value) && !consumed.has(value))
    if (next !== undefined) consumed.add(next)
    return next ?? (mayServeAgain ? nextUnchanged(values) : undefined)
  }

  function nextUnchanged(values: readonly unknown[]) {
    const next = values.find((value) => unchanged.has(value))
    unchanged.delete(next)
    return next
  }

  /** The static consumables of this version. Each of n versions takes every n-th value of a row, so that a run uses none twice. */
  function share(name: string): unknown[] {
    const turn = config.versions.indexOf(version)
    const rows = groupBy(stated(name), (value) =>
      JSON.stringify((value as { row?: unknown } | null)?.row),
    )
    return [...rows.values()].flatMap((values) =>
      values.filter((_, index) => index % config.versions.length === turn),
    )
  }

  async function ask(name: string, specifics: unknown) {
    const spent = stated(name).length > 0 ? ['no given value is left or fits'] : []
    const missing = catalogue.missing({ type: 'need', name: name as NeedName })
    const lack = (...why: string[]) =>
      why.length === 0 ? missing : { ...missing, but: why.join('; ') }
    if (!provider) throw new Untested(`needs ${name}: ${howText(lack(...spent))}`, [lack(...spent)])
    const response = await provider.ask(
      name,
      name === 'token' ? inTargetsWords(specifics, dialect) : specifics,
    )
    if ('unsupported' in response) {
      const why = `the provider does not support it: ${printable(cut(redactor.redact(response.unsupported), givenLimit))}`
      throw new Untested(`the need "${name}" is not given, ${why}`, [lack(...spent, why)])
    }
    const problem = problemWith(name, response.given, catalogue)
    if (problem)
      throw new ProviderFailure(`the provider's response for the need "${name}" ${problem}`)
    redactSecrets(name, response.given)
    if (isUsedUp(name, response.given)) {
      const why =
        'the provider gave it to an earlier check already; each request must return another one'
      throw new Untested(`the need "${name}" is not given: ${why}`, [{ need: name, how: why }])
    }
    if (typeof response.given === 'object' && response.given !== null) {
      const given = cut(JSON.stringify(redactor.redactJson(response.given)), givenLimit)
      givenNeeds.set(response.given, {
        need: name,
        from: 'provider',
        with: JSON.stringify(specifics ?? {}),
        given,
      })
    }
    return response.given
  }

  /** True for a thread or an inbox that the provider gave before: an earlier check has changed it. Keeps it otherwise. */
  function isUsedUp(name: string, given: unknown) {
    const { thread_id, token } = (given ?? {}) as { thread_id?: string; token?: string }
    const identity = thread_id ?? token
    if (catalogue.needs.get(name)?.kind !== 'consumable' || identity === undefined) return false
    const isKnown = consumed.has(identity)
    consumed.add(identity)
    return isKnown
  }

  function redactSecrets(name: string, ...given: unknown[]) {
    for (const secret of given.flatMap(secretsIn)) redactor.add(secret, labelOf(name))
  }
}

/** The secrets of a given value. */
export function secretsIn(given: unknown) {
  return ['/secret', '/token']
    .map((member) => atPointer(given, member))
    .filter((value) => typeof value === 'string')
}

/** The request to the provider, with the target's words for the categories of a token. */
export function inTargetsWords(specifics: unknown, dialect: Dialect): unknown {
  const { permissions } = specifics as { permissions?: Permissions }
  return permissions === undefined
    ? specifics
    : { ...(specifics as object), permissions: dialect.permissionsToWire(permissions) }
}

function missingToken(
  { kind, account, permissions, lacks }: TokenRequest,
  login: string | undefined,
): MissingToken {
  // A user's app token acts on every account of the user.
  return defined({
    kind,
    reach: kind === 'app-user' ? login : (account ?? login),
    permissions,
    lacks,
  })
}
