import type { Exchange } from '../../http/exchange/exchange.ts'
import type { DeviationRecord, JsonFragment } from '../../record/check-record.ts'
import type { Finding } from '../../suite/deviation.ts'
import { atPointer, defined, stepsOf, sumOf } from '../../text/data.ts'
import { counted, cut, printable, show } from '../../text/format.ts'
import type { Session } from './session.ts'

/** The longest fragment of a body that a record keeps. Characters. */
const fragmentLimit = 4000

/** The record of a finding: the JSON around its pointer and its test data. `safe` removes secrets from a target's sentence. */
export function deviationRecord(
  finding: Finding,
  given: ReadonlySet<unknown>,
  session: Pick<Session, 'needs' | 'redactor'>,
  safe: (text: string) => string,
): DeviationRecord {
  const { expected, actual, difference, exchanges, items, refused = exchanges.at(-1) } = finding
  const trait = items?.trait && {
    member: safe(cut(items.trait.member, 80)),
    value: safe(show(items.trait.value)),
  }
  const response = exchanges.at(-1)
  const pointer =
    finding.pointer === undefined
      ? undefined
      : (response?.wirePointer(finding.pointer) ?? finding.pointer)
  const fragment = pointer === undefined ? undefined : fragmentAt(response?.body.wireJson, pointer)
  const hide = (text: string) => session.redactor.redact(text)
  const needs = [...given].flatMap((value) => session.needs.describe(value) ?? [])
  return defined({
    expected: safe(expected),
    actual: safe(actual),
    variation: refused?.request.form && safe(refused.request.form),
    difference: difference && { of: safe(difference.of), is: safe(difference.is) },
    pointer: pointer === undefined ? undefined : safe(pointer),
    items: items && defined({ ...items, trait }),
    exchanges: exchanges.map(({ id }) => id),
    responses: exchanges.map(outlineOf),
    // Secrets contain no line break, so that the marked lines stay where they are.
    fragment: fragment && {
      ...fragment,
      at: printable(hide(fragment.at)),
      json: hide(fragment.json),
    },
    given: needs.length > 0 ? needs : undefined,
  })
}

/** A response in a few words: `200, 15 items`. */
function outlineOf({ status, isList, count, length }: Exchange) {
  return `${status}, ${isList ? counted(count, 'item') : counted(length, 'byte')}`
}

/** The largest readable part of a body around a pointer; undefined if the pointer leads nowhere. */
export function fragmentAt(body: unknown, pointer: string): JsonFragment | undefined {
  const steps = pointer.split('/').slice(1)
  const around = steps.map((_, index) => `/${steps.slice(0, index + 1).join('/')}`)
  const places = ['', ...around].filter((place) => atPointer(body, place) !== undefined)
  const nearest = places.at(-1)
  if (nearest === undefined) return undefined
  // A large or deep value is not indented: that would take more memory than it is worth.
  const isLarge = (place: string) =>
    [undefined, 2].some(
      (indent) => JSON.stringify(atPointer(body, place), null, indent).length > fragmentLimit,
    )
  const at = places[places.findLastIndex(isLarge) + 1]
  if (at === undefined)
    return {
      at: nearest,
      json: cut(JSON.stringify(atPointer(body, nearest)), fragmentLimit),
      lines: [1, 1],
    }
  const part = atPointer(body, at)
  return {
    at,
    json: JSON.stringify(part, null, 2),
    lines: linesOf(part, stepsOf(nearest.slice(at.length))),
  }
}

/** The lines of indented JSON that a pointer names: those before it in each object or array on the way add up. */
function linesOf(value: unknown, [step, ...rest]: readonly string[]): [number, number] {
  const height = (member: unknown) => JSON.stringify(member, null, 2)?.split('\n').length ?? 0
  if (step === undefined || typeof value !== 'object' || value === null) return [1, height(value)]
  const members = Object.entries(value)
  const index = members.findIndex(([name]) => name === step)
  const before = 1 + sumOf(members.slice(0, index), ([, member]) => height(member))
  const [first, last] = linesOf(members[index]?.[1], rest)
  return [before + first, before + last]
}
