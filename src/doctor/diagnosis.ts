import type { Session } from '../run/judge/session.ts'
import { needName } from '../run/needs/asked-needs.ts'
import { needCatalogue } from '../run/needs/need-catalogue.ts'
import type { PlacedCheck } from '../run/selection.ts'
import { needsOf } from '../suite/check.ts'
import type { NeedRef } from '../suite/needs.ts'
import { Untested } from '../suite/untested.ts'
import { messageOf } from '../text/message-of.ts'

/** Something that a target does not offer, and what that costs. */
interface Gap {
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

/** Whether a need can be had: `unknown` is what is only made when a check asks. */
type Availability = 'met' | 'unknown' | { readonly how: string }

/** A need as some check declares it, and whether it can be had. */
interface DiagnosedNeed {
  /** The name that reports use; absent for what is read from the target itself. */
  readonly name: string | undefined
  readonly availability: Availability
}

/** Resolves every need of the checks once, except those that would use something up or change something; gaps by gain. */
export async function diagnoseNeeds(
  placed: readonly PlacedCheck[],
  session: Session,
  hasProvider: boolean,
): Promise<NeedDiagnosis> {
  const diagnosed = new Map<string, DiagnosedNeed>()
  for (const wanted of placed.flatMap(({ check }) => Object.values(needsOf(check)))) {
    const key = keyOf(wanted)
    if (diagnosed.has(key)) continue
    diagnosed.set(key, { name: needName(wanted), availability: await availabilityOf(wanted, session, hasProvider) })
  }
  const needs = [...diagnosed.values()]
  const names = (availability: 'met' | 'unknown') => [
    ...new Set(needs.flatMap((need) => (need.availability === availability ? (need.name ?? []) : []))),
  ]
  const lacking = placed.map(({ check }) => ({ id: check.id, names: lackedBy(Object.values(needsOf(check)), diagnosed) }))
  return { met: names('met'), unknown: names('unknown'), gaps: gapsOf(lacking, needs) }
}

/** Tells needs apart that have one name and ask for different things. */
function keyOf(wanted: NeedRef): string {
  const { optional: _, ...rest } = wanted
  return JSON.stringify(rest)
}

/** The names of the needs without which a check is untested. */
function lackedBy(needs: readonly NeedRef[], diagnosed: ReadonlyMap<string, DiagnosedNeed>): string[] {
  const lacked = needs.filter((wanted) => !wanted.optional && isGap(diagnosed.get(keyOf(wanted))?.availability))
  return [...new Set(lacked.flatMap((wanted) => needName(wanted) ?? []))]
}

function isGap(availability: Availability | undefined): availability is { how: string } {
  return typeof availability === 'object'
}

async function availabilityOf(wanted: NeedRef, session: Session, hasProvider: boolean): Promise<Availability> {
  const row = wanted.type === 'need' ? needCatalogue.get(wanted.name) : undefined
  if (row && row.kind !== 'value') {
    const given = session.options.config.needs[row.name] !== undefined
    return given ? 'met' : hasProvider ? 'unknown' : { how: row.how }
  }
  try {
    await session.needs.one(wanted)
    return 'met'
  } catch (error) {
    return { how: error instanceof Untested ? (error.missing[0]?.how ?? error.message) : messageOf(error) }
  }
}

function gapsOf(
  lacking: readonly { readonly id: string; readonly names: readonly string[] }[],
  needs: readonly DiagnosedNeed[],
): Gap[] {
  const names = [...new Set(lacking.flatMap((check) => check.names))]
  const how = (name: string) => {
    const found = needs.find((need) => need.name === name && isGap(need.availability))?.availability
    return isGap(found) ? found.how : ''
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
