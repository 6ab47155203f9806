import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type archiveNeeds, contents, flagged, plain } from '../common/migration-state.ts'
import { amountOf, type Exclusion, exclusions, isDeclared, type Part, parts, presentAmong } from './parts.ts'

/** Flags that are set together each have the effect that they have alone, and no further one. */
export function togetherCheck(archive: Operation<typeof archiveNeeds>, flags: readonly string[]): Check {
  const [first = '', ...others] = flags.map((flag) => flag.replace('exclude_', '').replaceAll('_', '-'))
  const own = { slow: true } as const
  const title = `applies ${flags.join(', ').replace(/, (?=[^,]*$)/, ' and ')} together`
  return archive.check(`exclude-${[first, ...others].join('-and-')}`, title, own, async (t, resolved) => {
    // It is exported beside the migrations for comparison.
    const all = await flagged(t, resolved, ...flags)
    const whole = await contents(t, resolved, await plain(t, resolved))
    const alone: Archives['alone'][number][] = []
    for (const flag of flags) {
      const exclusion = exclusions.find((each) => each.flag === flag) ?? { flag, out: ['projects'], open: [] }
      alone.push({ ...exclusion, ...(await contents(t, resolved, await flagged(t, resolved, flag))) })
    }
    const reduced = await contents(t, resolved, all)
    compareAmounts(t, { whole, alone, reduced }, (part) => isDeclared(resolved.repository, part))
  })
}

interface Archives {
  readonly whole: Contents
  /** With one flag each. */
  readonly alone: readonly (Exclusion & Contents)[]
  readonly reduced: Contents
}

type Contents = Awaited<ReturnType<typeof contents>>

/** Another check judges a flag that has no effect by itself. */
function compareAmounts(t: CheckContext, { whole, alone, reduced }: Archives, isDeclared: (part: Part) => boolean): void {
  const effects = alone.map(({ out, inspection }) =>
    out.filter((part) => amountOf(whole.inspection, part) > 0 && presentAmong([part], inspection).length === 0),
  )
  if (effects.some((parts) => parts.length === 0)) t.untested('one of the flags excludes nothing by itself')
  const out = [...new Set(effects.flat())]
  const staysBeside = ({ open, inspection }: Exclusion & Contents, part: Part) =>
    !open.includes(part) && amountOf(inspection, part) > 0
  const stays = parts.filter((part) => isDeclared(part) && alone.every((each) => staysBeside(each, part)))
  const present = presentAmong(out, reduced.inspection)
  const lost = stays.filter((part) => amountOf(reduced.inspection, part) === 0)
  const actual = [...present, ...lost.map((part) => `no ${part}`)].join(', ')
  const rest = stays.length > 0 ? ` and still ${stays.join(', ')}` : ''
  t.expect(reduced.answer).satisfy(`no ${out.join(', ')}${rest}`, actual === '', actual)
}
