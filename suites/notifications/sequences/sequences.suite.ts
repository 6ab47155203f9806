import fc from 'fast-check'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, optional } from '../../../src/suite/needs.ts'
import { briefly, eventually, type Looking } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { disposableInbox } from '../common/touches.ts'
import { settled, walkThrough } from './walk.ts'
import { everyThread, type Fact, type Inboxes, type Sequence, type Wrong } from './walkers.ts'

/** The judged fact: of the thread whose steps were taken, or of other threads. */
type Law = Fact | 'unmuted' | 'other-threads'

const laws: Readonly<Record<Law, string>> = {
  state: 'keeps threads read or unread as their own steps say, in random sequences',
  unmuted: 'sends notifications again after the end of ignoring, in random sequences',
  subscription: 'keeps subscriptions as the steps on their threads say, in random sequences',
  reason: 'keeps the reasons of threads until a notification, in random sequences',
  'other-threads': 'keeps threads as they are during the steps of others, in random sequences',
}

const sequences = operation({
  id: 'notifications.sequences',
  endpoint: endpoints.markThreadRead,
  needs: { inbox: need('disposable-inbox'), other: optional(need('disposable-inbox')) },
  asks: ['new-notification', 'mention-on-thread'],
  requirement: 'notifications.moves.sequences',
  level: 'must',
  schedule: 'alone',
  writes: true,
  slow: true,
  touches: disposableInbox,
})

/** The claim that a contradiction breaks, by the shortest sequence that leads to it. */
function lawOf({ fact, wanted, isAlone, taken }: Wrong): Law {
  if (!isAlone) return 'other-threads'
  const [muting, subscribing] = [taken.lastIndexOf('ignore'), taken.lastIndexOf('subscribe')]
  const isMuted = fact === 'state' && wanted === 'unread' && muting >= 0 && subscribing > muting
  return isMuted ? 'unmuted' : fact
}

/** Laws of the inbox: whichever steps its threads take, their states follow from the document's moves. */
export default sequences.suite(
  Object.entries(laws).map(([law, title]) =>
    sequences.check(law, title, async (t, inboxes) => {
      const found = await t.shared('sequences', (shared) => contradictionsOf(shared, inboxes))
      const wrong = found.find((each) => law === lawOf(each))
      if (wrong) t.deviation(wrong)
      endsWithout(t, found)
      t.examined(1)
    }),
  ),
)

/** The turns of the whole inbox, and of its threads. Those of the largest repository come first, its oldest as the last of them. */
const table = `
  inbox:   - - - - mark-repository-older mark-repository - mark-older mark-inbox - mark-private mark-until mark-repository-until -
  0:       - - subscribe mark notify - notify subscribe - notify ignore subscribe mark notify
  1:       mark done - - - - ignore mark - - - - - -
  2:       mark ignore mention unsubscribe mention - - - - notify done - - -
  3:       - - unsubscribe mark ignore - subscribe ignore mark notify ignore read done -
  control: nobody-done - stranger-mark stranger-fetch stranger-done - - - - notify+ignore read mark+subscribe+stranger-subscription+stranger-ignore+stranger-unsubscribe+nobody-unsubscribe unsubscribe done
  drawn:   - - - - - - drawn - - notify drawn - - -
  6:       ignore ignore - mark notify - unsubscribe subscribe - notify mark done - -`

/** The table as moves by turns. */
const fixed: Sequence = table
  .trim()
  .split('\n')
  .flatMap((line, row) => {
    const [, ...names] = line.trim().split(/\s+/)
    return names.flatMap((cell, turn) =>
      cell.split('+').map((step) => ({ step, turn, thread: row - 1 })),
    )
  })
  .filter(({ step }) => step !== '-')
  .sort((a, b) => a.turn - b.turn)

/** This thread waits for the marking of the inbox, and is notified without a subscription. */
const control = 4

/** Some steps of one thread follow from the run's seed. */
const drawable = [
  'read',
  'mark',
  'ignore',
  'subscribe',
  'unsubscribe',
  'notify',
  'mention',
  'comment',
]

/** A contradiction that must appear again in its confirmation, after the shortest sequence that caused it. */
interface Doubt {
  readonly wrong: Wrong
  readonly sequence: Sequence
  /** The run had no time for shorter sequences. */
  readonly isCut?: true
}

/** The contradictions of a walk through the sequences. The first judgement shortens one of each fact, and its confirmation looks for them again. */
async function contradictionsOf(t: CheckContext, inboxes: Inboxes) {
  const drawn = fc.sample(fc.constantFrom(...drawable), {
    seed: Math.floor(t.random() * 2 ** 31),
    numRuns: fixed.length,
  })
  const sequence = fixed.map((move, index) =>
    move.step === 'drawn' ? { ...move, step: drawn[index] ?? '' } : move,
  )
  const doubts = await t.shared('doubtful sequences', async (): Promise<Doubt[]> => [])
  const confirmed = await Promise.all(doubts.map((doubt) => confirmedIn(t, doubt)))
  if (confirmed.some((wrong) => wrong)) return confirmed.flatMap((wrong) => wrong ?? [])
  const found = await walkThrough(t, inboxes, sequence, eventually)
  // A thread that took no step has changed in both inboxes: another check may have caused it beside this one.
  const idle = confirmed.length > 0 ? found.filter(({ taken }) => taken.length === 0) : []
  if (idle.length > 0) return idle
  if (confirmed.length > 0) endsWithout(t, found)
  for (const wrong of found)
    if (!doubts.some((doubt) => doubt.wrong.fact === wrong.fact))
      doubts.push(await atShortest(t, { wrong, sequence }))
  return found.length === 0 ? [] : doubts.map(({ wrong }) => wrong)
}

/** Ends the check as untested if contradictions of other laws, or of a walk that nothing confirms, have ended the sequences. */
function endsWithout(t: CheckContext, [wrong]: readonly Wrong[]) {
  if (wrong)
    t.untested(
      `the sequences ended early, since the ${wrong.fact} of a thread contradicted its steps`,
    )
}

/** The same contradiction with patience. A muting may begin some seconds late: after its time, a notification is no late effect (readings G16). */
async function confirmedIn(
  t: CheckContext,
  { wrong, sequence, isCut }: Doubt,
): Promise<Wrong | undefined> {
  const again = await reproduced(t, wrong.fact, sequence, wrong.isMuted ? settled : eventually)
  const note = isCut ? ' (the run had no time for shorter sequences)' : ''
  return again && { ...again, expected: `${again.expected}${note}` }
}

/** Shorter sequences: first the one without the moves of other threads, or with the last moves alone; then those that fast-check makes. */
function shorterOf({ wrong, sequence }: Doubt): IterableIterator<fc.Value<Sequence>> {
  // Later moves of the thread may cause the same. A notification on another one shows that they arrive.
  const likely = sequence.filter(({ thread, step, turn }) => {
    if (wrong.taken.length === 0) return turn === wrong.turn
    const isHeard = thread === control && step === 'notify'
    const isOnAll = thread === everyThread && (turn > wrong.turn || wrong.taken.includes(step))
    return isHeard || isOnAll || thread === wrong.thread
  })
  const made = sequence.filter(({ turn }) => turn <= wrong.turn)
  return fc.Stream.of(new fc.Value(likely, undefined)).join(
    fc.subarray(made).shrink(made, undefined),
  )
}

/**
 * The same contradiction after the shortest sequence that causes it, as far as the run has time. The runner of fast-check is left out,
 * since it ends neither by the run's clock nor by an outage.
 */
async function atShortest(t: CheckContext, first: Doubt): Promise<Doubt> {
  let doubt = first
  // Without any move there is nothing to judge.
  const tried = new Set([JSON.stringify([])])
  let candidates = shorterOf(first)
  for (let next = candidates.next(); !next.done; next = candidates.next()) {
    const sequence = next.value.value
    const key = JSON.stringify(sequence)
    if (tried.has(key)) continue
    tried.add(key)
    if (!t.mayShorten()) return { ...doubt, isCut: true }
    const wrong = await reproduced(t, first.wrong.fact, sequence, briefly)
    if (!wrong) continue
    doubt = { wrong, sequence }
    candidates = shorterOf(doubt)
  }
  return doubt
}

/** The same contradiction in another inbox, if it appears there. */
async function reproduced(
  t: CheckContext,
  fact: Fact,
  sequence: Sequence,
  looking: Looking,
): Promise<Wrong | undefined> {
  const walk = async () => {
    const inbox = await t.ask('disposable-inbox', {})
    const other = await unlessUntested(t.ask('disposable-inbox', {}))
    return walkThrough(t, { inbox, other }, sequence, looking)
  }
  return (await unlessUntested(walk()))?.find((wrong) => wrong.fact === fact)
}
