import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need } from '../../../src/suite/needs.ts'
import { briefly, eventually, type Looking } from '../../../src/suite/observe.ts'
import { counted } from '../../../src/text/format.ts'
import { unlessUntested } from '../../common/proof.ts'
import { disposableInbox } from '../common/threads.ts'
import { type Fact, isCommon, type Row, settled, type Wrong, walkThrough } from './walk.ts'

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
      const found = await t.shared('sequences', (shared) => contradictionsOf(shared, inbox.token))
      const wrong = found.find(({ fact, isAlone }) => law === (isAlone ? fact : 'other-threads'))
      if (wrong) t.deviation(wrong)
      endsWithout(t, found)
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

/** A contradiction that must appear again in its confirmation, after the shortest sequence that caused it. */
interface Doubt {
  readonly wrong: Wrong
  readonly rows: readonly Row[]
  /** The sequences for which the run had no time. */
  readonly untried: number
}

/** The contradictions of a walk through the sequences. The first judgement shortens one of each fact, and its confirmation looks for them again. */
async function contradictionsOf(t: CheckContext, token: string): Promise<Wrong[]> {
  const draw = () => drawable[Math.floor(t.random() * drawable.length)] ?? ''
  const rows = [...fixed, [...rest, draw(), ...later, draw(), 'mark-inbox']]
  const doubts = await t.shared('doubtful sequences', async (): Promise<Doubt[]> => [])
  const confirmed = await Promise.all(doubts.map((doubt) => confirmedIn(t, doubt)))
  if (confirmed.some((wrong) => wrong)) return confirmed.flatMap((wrong) => wrong ?? [])
  const found = await walkThrough(t, token, rows, eventually)
  if (confirmed.length > 0) endsWithout(t, found)
  for (const first of found)
    if (!doubts.some(({ wrong }) => wrong.fact === first.fact)) doubts.push(await atShortest(t, first, rows))
  return found.length === 0 ? [] : doubts.map(({ wrong }) => wrong)
}

/** Ends the check as untested if contradictions of other laws, or of a walk that nothing confirms, have ended the sequences. */
function endsWithout(t: CheckContext, [wrong]: readonly Wrong[]): void {
  if (wrong) t.untested(`the sequences ended early: expected ${wrong.expected}, got ${wrong.actual}`)
}

/** The same contradiction with patience. A muting may begin some seconds late: after its time, a notification is no late effect (readings G16). */
async function confirmedIn(t: CheckContext, { wrong, rows, untried }: Doubt): Promise<Wrong | undefined> {
  const again = await reproduced(t, wrong, rows, wrong.isMuted ? settled : eventually)
  const note = untried === 0 ? '' : ` (not tried: ${counted(untried, 'shorter sequence')})`
  return again && { ...again, expected: `${again.expected}${note}` }
}

/** The place of a step. A step on all threads has the same place in each row. */
const placeOf = (step: string, row: number, turn: number) => (isCommon(step) ? `${turn}` : `${turn} of ${row}`)

function placesIn(rows: readonly Row[]): string[] {
  const places = rows.flatMap((row, index) => row.map((step, turn) => step && placeOf(step, index, turn)))
  return [...new Set(places)].filter(Boolean)
}

/**
 * The same contradiction after the shortest sequence that causes it: at first one without the steps of other threads, then with
 * fewer and fewer steps left out, as long as the run has time for that.
 */
async function atShortest(t: CheckContext, first: Wrong, all: readonly Row[]): Promise<Doubt> {
  let wrong = first
  let rows = all
  let untried = 0
  const suffice = async (isKept: (...of: Parameters<typeof placeOf>) => boolean) => {
    const fewer = rows.map((steps, row) => steps.map((step, turn) => (isKept(step, row, turn) ? step : '')))
    const isInTime = t.mayShorten()
    const again = isInTime && (await reproduced(t, first, fewer, briefly))
    if (!isInTime) untried += 1
    if (again) [wrong, rows] = [again, fewer.map((row) => row.slice(0, again.turn + 1))]
    return again
  }
  // The steps of the thread and those on all threads that concern it, besides a notification on another one.
  const isOwn = (step: string, row: number, turn: number) =>
    (isCommon(step) ? turn > wrong.turn || wrong.taken.includes(step) : row === wrong.row) ||
    (row === fixed.indexOf(control) && step === 'notify')
  if (!(await suffice(isOwn))) rows = rows.map((row) => row.slice(0, first.turn + 1))
  else if (!wrong.isAlone) await suffice(isOwn)
  for (let size = placesIn(rows).length >> 1; size > 0; size >>= 1) {
    for (let start = 0, places = placesIn(rows); start < places.length; places = placesIn(rows)) {
      const dropped = places.slice(start, start + size)
      if (dropped.length === places.length || !(await suffice((...of) => !dropped.includes(placeOf(...of))))) start += size
    }
  }
  return { wrong, rows, untried }
}

/** The same contradiction in another inbox, if it appears there. */
async function reproduced(t: CheckContext, { fact }: Wrong, rows: readonly Row[], looking: Looking): Promise<Wrong | undefined> {
  const walk = async () => walkThrough(t, (await t.ask('disposable-inbox', {})).token, rows, looking)
  return (await unlessUntested(walk()))?.find((wrong) => wrong.fact === fact)
}
