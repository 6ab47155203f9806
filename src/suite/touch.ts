/**
 * The ways in which a check uses an object, in the order of a run. Checks with the same treatment run beside each other if they
 * keep an object, add to it, or change parts of their own. A check that `changes` an object runs while no other touches it.
 */
const treatments = ['keeps', 'adds', 'changes-part', 'changes'] as const

/** How a check uses an object: one of {@link treatments}. */
export type Treatment = (typeof treatments)[number]

/** One thing on the target that a check must find unchanged, or changes. */
export interface Touch {
  /** From the whole to the part, such as `inbox/owner`: touching the whole touches each part. */
  readonly what: string
  readonly how: Treatment
}

/** True when two checks may run at the same time as far as these touches are concerned. */
export function agree(a: Touch, b: Touch): boolean {
  return (a.how === b.how && a.how !== 'changes') || !overlap(a.what, b.what)
}

/** True when one use of an object comes before the other: parts are changed beside each other before the whole is. */
export function precedes(a: Touch, b: Touch): boolean {
  if (a.how === 'changes' && b.how === 'changes') return isPart(a.what, b.what)
  return treatments.indexOf(a.how) < treatments.indexOf(b.how) && overlap(a.what, b.what)
}

const overlap = (a: string, b: string) => a === b || isPart(a, b) || isPart(b, a)

const isPart = (part: string, whole: string) => part.startsWith(whole) && part[whole.length] === '/'
