import type { Session } from '../run/judge/session.ts'
import { needName } from '../run/needs/asked-needs.ts'
import { needCatalogue } from '../run/needs/need-catalogue.ts'
import type { PlacedCheck } from '../run/selection.ts'
import { needsOf } from '../suite/check.ts'
import type { NeedRef } from '../suite/needs.ts'
import { Untested } from '../suite/untested.ts'

/** Something that a target does not offer, and what that costs. */
export interface Gap {
  readonly need: string
  readonly how: string
  /** Checks that ask for it. */
  readonly checks: readonly string[]
  /** Checks that lack nothing else: what closing this gap alone would gain. */
  readonly gain: number
}

/** What the needs of some checks come to. */
export interface NeedDiagnosis {
  readonly met: readonly string[]
  /** Needs that are only made when a check asks: nothing is used up or changed to find out. */
  readonly unknown: readonly string[]
  readonly gaps: readonly Gap[]
}

/** Resolves every need of the checks once, except those that would use something up or change something; gaps by gain. */
export async function diagnoseNeeds(
  placed: readonly PlacedCheck[],
  session: Session,
  hasProvider: boolean,
): Promise<NeedDiagnosis> {
  const states = new Map<string, 'met' | 'unknown' | { how: string }>()
  for (const wanted of placed.flatMap(({ check }) => Object.values(needsOf(check)))) {
    const key = keyOf(wanted)
    if (!states.has(key)) states.set(key, await stateOf(wanted, session, hasProvider))
  }
  const lacking = placed.map(({ check }) => ({
    id: check.id,
    names: [
      ...new Set(
        Object.values(needsOf(check)).flatMap((wanted) =>
          isGap(states.get(keyOf(wanted))) && !wanted.optional ? (needName(wanted) ?? []) : [],
        ),
      ),
    ],
  }))
  const names = (state: 'met' | 'unknown') => [
    ...new Set([...states].filter(([, found]) => found === state).map(([key]) => key.split(' ')[0] as string)),
  ]
  return { met: names('met').filter((name) => name !== 'reader'), unknown: names('unknown'), gaps: gapsOf(lacking, states) }
}

function keyOf(wanted: NeedRef): string {
  const { optional: _, ...rest } = wanted
  return `${needName(wanted) ?? 'reader'} ${JSON.stringify(rest)}`
}

function isGap(state: unknown): boolean {
  return typeof state === 'object'
}

async function stateOf(wanted: NeedRef, session: Session, hasProvider: boolean): Promise<'met' | 'unknown' | { how: string }> {
  const kind = wanted.type === 'need' ? needCatalogue.get(wanted.name)?.kind : 'value'
  const given = wanted.type === 'need' && session.options.config.needs[wanted.name] !== undefined
  if (kind !== 'value')
    return given ? 'met' : hasProvider ? 'unknown' : { how: needCatalogue.get((wanted as { name: string }).name)?.how ?? '' }
  try {
    await session.needs.one(wanted)
    return 'met'
  } catch (error) {
    return { how: error instanceof Untested ? (error.missing[0]?.how ?? error.message) : (error as Error).message }
  }
}

function gapsOf(
  lacking: readonly { readonly id: string; readonly names: readonly string[] }[],
  states: ReadonlyMap<string, 'met' | 'unknown' | { how: string }>,
): Gap[] {
  const names = [...new Set(lacking.flatMap((check) => check.names))]
  const how = (name: string) => {
    const found = [...states].find(([key, state]) => key.startsWith(`${name} `) && isGap(state))?.[1]
    return typeof found === 'object' ? found.how : ''
  }
  return names
    .map((need) => ({
      need,
      how: how(need),
      checks: lacking.filter((check) => check.names.includes(need)).map(({ id }) => id),
      gain: lacking.filter((check) => check.names.length === 1 && check.names[0] === need).length,
    }))
    .sort((a, b) => b.gain - a.gain || b.checks.length - a.checks.length)
}
