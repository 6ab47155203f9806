import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need } from '../../../src/suite/needs.ts'
import { policies, spacing } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { disposableInbox } from '../common/threads.ts'
import { type Fact, type Pace, type Row, type Wrong, walkThrough } from './walk.ts'

/** The judged fact: of the thread whose steps were taken, or of other threads. */
type Law = Fact | 'other-threads'

const laws: Readonly<Record<Law, string>> = {
  state: 'keeps threads read or unread as their own steps say, in random sequences',
  subscription: 'keeps subscriptions as the steps on their threads say, in random sequences',
  reason: 'keeps the reasons of threads until a notification, in random sequences',
  'other-threads': 'keeps threads as they are during the steps of others, in random sequences',
}

const sequences = operation({
  id: 'notifications.sequences',
  endpoint: endpoints.markThreadRead,
  needs: { inbox: need('disposable-inbox') },
  asks: ['new-notification', 'mention-on-thread'],
  requirement: 'notifications.moves.sequences',
  level: 'must',
  schedule: 'alone',
  writes: true,
  slow: true,
  touches: disposableInbox,
})

/** Laws of the inbox: whichever steps its threads take, their states follow from the document's moves. */
export default sequences.suite(
  Object.entries(laws).map(([law, title]) =>
    sequences.check(law, title, async (t, { inbox }) => {
      const { found, broken } = await t.shared('sequences', (shared) => brokenLaws(shared, inbox.token))
      const wrong = broken.get(law as Law)
      if (wrong) t.deviation(wrong)
      const [{ expected, actual } = {}] = found
      if (expected) t.untested(`the sequences ended early or differently in another inbox: expected ${expected}, got ${actual}`)
      t.examined(fixed.length)
    }),
  ),
)

/** Later turns of most threads. */
const later = ['mark-older', 'mark-inbox', 'notify']

/** Early turns without a step, in which the steps of others must not reach a thread. */
const rest = ['', '', '', '', '', 'mark-repository']

/** This thread waits for the marking of the inbox, and is notified without a subscription. */
const control: Row = [...rest, '', ...later, 'read', 'mark-inbox']

/** The threads of one repository come first, its oldest as the last of them. */
const fixed: readonly Row[] = [
  ['', '', 'subscribe', 'mark', 'notify', 'mark-repository', 'notify', 'subscribe', 'mark-inbox', 'notify', 'read', 'done'],
  ['mark', 'done', '', '', '', 'mark-repository', 'ignore', 'mark', 'mark-inbox'],
  ['mark', 'ignore', 'mention', 'unsubscribe', 'mention', 'mark-repository', '', ...later, 'done', ''],
  ['', '', 'unsubscribe', 'ignore', 'subscribe', 'mark-repository', 'ignore', 'mark', 'read', 'notify', 'done', ''],
  control,
  ['ignore', 'ignore', 'unsubscribe', 'subscribe', 'read', 'mark-repository', 'mark', ...later, 'mark', 'done'],
]

/** Most steps of one more thread follow from the run's seed. */
const drawable = ['read', 'mark', 'ignore', 'subscribe', 'unsubscribe', 'notify', 'mention']

/**
 * The laws that a walk through the sequences breaks. A contradiction counts if it appears again in another inbox, after a pause in
 * which a muting begins (readings G16). It is one of the thread's own if it needs no step on another thread.
 */
async function brokenLaws(t: CheckContext, token: string): Promise<{ found: readonly Wrong[]; broken: ReadonlyMap<Law, Wrong> }> {
  const draw = () => drawable[Math.floor(t.random() * drawable.length)] ?? ''
  const rows = [...fixed, [...rest.map((name) => name || draw()), draw(), ...later, draw(), 'mark-inbox']]
  const broken = new Map<Law, Wrong>()
  const found = await walkThrough(t, token, rows, { pause: spacing })
  for (const first of found) {
    const alone = rows.map((row, index) => (index === first.row || row === control ? row : []))
    const own = await reproduced(t, first, alone, { pause: t.maxWaitSeconds })
    const wrong = own ?? (await reproduced(t, first, rows, { pause: t.maxWaitSeconds }))
    const shown = wrong && (await shortest(t, own ? alone : rows, wrong))
    const law = shown?.isAlone ? shown.fact : 'other-threads'
    if (shown && !broken.has(law)) broken.set(law, shown)
  }
  return { found, broken }
}

/** The same contradiction in another inbox, if it appears there. */
async function reproduced(t: CheckContext, { fact }: Wrong, rows: readonly Row[], pace: Pace): Promise<Wrong | undefined> {
  const inbox = await t.ask('disposable-inbox', {})
  return (await unlessUntested(walkThrough(t, inbox.token, rows, pace)))?.find((wrong) => wrong.fact === fact)
}

/** Leaves out steps that the contradiction does not need: those of whole turns, then those of whole threads, then each alone. */
async function shortest(t: CheckContext, rows: readonly Row[], wrong: Wrong): Promise<Wrong> {
  let [shown, kept] = [wrong, rows]
  const turns = [...control.keys()]
  const without = (row: Row, turn: number) => row.map((step, at) => (at === turn ? '' : step))
  const fewerThan = [
    ...turns.map((turn) => (row: Row) => without(row, turn)),
    ...rows.map((_, index) => (row: Row, at: number) => (at === index ? [] : row)),
    ...rows.flatMap((_, index) => turns.map((turn) => (row: Row, at: number) => (at === index ? without(row, turn) : row))),
  ]
  for (const change of fewerThan) {
    const fewer = kept.map(change)
    if (fewer.flat().join('') === kept.flat().join('') || fewer.every((row) => row.join('') === '')) continue
    const again = await reproduced(t, wrong, fewer, { pause: spacing, policy: policies.known })
    if (again) [shown, kept] = [again, fewer]
  }
  return shown
}
