import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need } from '../../../src/suite/needs.ts'
import { policies, spacing } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { disposableInbox } from '../common/threads.ts'
import { type Fact, isCommon, type Pace, type Row, type Wrong, walkThrough } from './walk.ts'

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
  ['', '', 'subscribe', 'mark', 'notify', 'mark-repository', 'notify', 'subscribe', 'mark-inbox', 'notify', 'ignore', ''],
  ['mark', 'done', '', '', '', 'mark-repository', 'ignore', 'mark', 'mark-inbox'],
  ['mark', 'ignore', 'mention', 'unsubscribe', 'mention', 'mark-repository', '', ...later, 'done', ''],
  ['', '', 'unsubscribe', 'ignore', '', 'mark-repository', 'subscribe', 'ignore', 'mark', 'notify', 'ignore', 'done'],
  control,
  ['ignore', 'ignore', 'unsubscribe', 'subscribe', 'read', 'mark-repository', 'mark', ...later, 'mark', 'done'],
]

/** Some steps of one more thread follow from the run's seed. */
const drawable = ['read', 'mark', 'ignore', 'subscribe', 'unsubscribe', 'notify', 'mention']

/**
 * The laws that a walk through the sequences breaks. A contradiction counts if its shortest sequence, or else all steps, cause it again
 * after a pause in which a muting begins (readings G16). It is one of the thread's own if it needs no step on another thread.
 */
async function brokenLaws(t: CheckContext, token: string): Promise<{ found: readonly Wrong[]; broken: ReadonlyMap<Law, Wrong> }> {
  const draw = () => drawable[Math.floor(t.random() * drawable.length)] ?? ''
  const rows = [...fixed, [...rest, draw(), ...later, draw(), 'mark-inbox']]
  const broken = new Map<Law, Wrong>()
  const found = await walkThrough(t, token, rows, { pause: spacing })
  for (const first of found) {
    if ([...broken.values()].some(({ fact }) => fact === first.fact)) continue
    const alone = rows.map((row, index) => (index === first.row || row === control ? row : []))
    const short = (await atShortest(t, first, alone)) ?? (await atShortest(t, first, rows))
    const shown = short ?? (await reproduced(t, first, rows, patient(first, t)))
    const law = shown?.isAlone ? shown.fact : 'other-threads'
    if (shown) broken.set(law, shown)
  }
  return { found, broken }
}

/** The last walk of a contradiction. No muting changes a subscription. */
const patient = ({ fact }: Wrong, t: CheckContext): Pace => ({ pause: fact === 'subscription' ? spacing : t.maxWaitSeconds })

/** The same contradiction in another inbox, if it appears there. */
async function reproduced(t: CheckContext, { fact }: Wrong, rows: readonly Row[], pace: Pace): Promise<Wrong | undefined> {
  const inbox = await t.ask('disposable-inbox', {})
  return (await unlessUntested(walkThrough(t, inbox.token, rows, pace)))?.find((wrong) => wrong.fact === fact)
}

/** The most walks that look for a shorter sequence: each takes some seconds. */
const mostWalks = 20

/** Such a walk waits little, since its sequence is confirmed at the end. */
const hasty: Pace = { pause: spacing, policy: { tries: 2, pauses: [1] } }

/** The same contradiction after the shortest sequence that causes it. Half of the steps are left out at first, in the end each alone. */
async function atShortest(t: CheckContext, first: Wrong, rows: readonly Row[]): Promise<Wrong | undefined> {
  if (!(await reproduced(t, first, rows, { pause: spacing, policy: policies.known }))) return undefined
  // A step on all threads is one step.
  const nameOf = (step: string, row: number, turn: number) => (isCommon(step) ? `${turn}` : `${turn} of ${row}`)
  const namesOf = (row: Row, index: number) => row.flatMap((step, turn) => (step ? nameOf(step, index, turn) : []))
  const only = (names: readonly string[]) =>
    rows.map((row, index) => row.map((step, turn) => (names.includes(nameOf(step, index, turn)) ? step : '')))
  let [kept, walks] = [[...new Set(rows.flatMap(namesOf))], 0]
  for (let size = Math.ceil(kept.length / 2); size > 0; size = Math.floor(size / 2)) {
    for (let start = 0; start < kept.length && kept.length > size && walks < mostWalks; walks += 1) {
      const fewer = kept.filter((_, index) => index < start || index >= start + size)
      if (await reproduced(t, first, only(fewer), hasty)) kept = fewer
      else start += size
    }
  }
  return reproduced(t, first, only(kept), { ...patient(first, t), policy: policies.known })
}
