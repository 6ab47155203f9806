import type { Exchange } from '../../http/exchange/exchange.ts'
import type { CheckContext, Watch, WatchKind } from '../../suite/context.ts'
import { Untested } from '../../suite/untested.ts'
import { unknownLag } from './patience.ts'
import type { Session } from './session.ts'
import type { Trace } from './trace.ts'

/** The pauses between the readings of an effect. The last one repeats. Seconds. */
const pauses = [0.25, 0.5, 0.5, 0.75, 1, 2, 3, 5]

/** The longest pause between two looks at work in the first judgement. Seconds. */
const betweenLooks = 2

/** The readings of a state that must come to rest, a second apart. */
const restingReadings = 5

/** The pause before a comparison is repeated. Seconds. */
const betweenRounds = 1

/** Dates have a resolution of one second. Milliseconds. */
const oneSecond = 1000

/** The effect of a cache that expires. */
const newCopies = 'copies of a cache to expire'

/** The time for which work must not have changed before its end counts as missing. Seconds. */
const restOfWork = 30

type Waiting = Pick<
  CheckContext,
  'wait' | 'watch' | 'settle' | 'mayRepeat' | 'isSuspicious' | 'mayShorten' | 'outlastCopies'
>

/** The waits of one check, by the clock of the run. A waiting check leaves its slot to another. */
export function waiting(session: Session, trace: Trace): Waiting {
  const wait = (seconds: number, what: string) =>
    session.wait({ what, seconds, check: trace.check })
  const { patience, clock } = session
  const pauseFor = async (what: string, wanted: number) => {
    suspect(trace, what)
    if (!trace.isConfirming) return true
    const seconds = Math.min(wanted, patience.longestPause(clock.now()))
    await trace.turn.vacate(() => session.pause({ what, seconds, check: trace.check }))
    return seconds === wanted
  }
  return {
    wait,
    settle: (what) => pauseFor(what, patience.longest),
    watch: (effect, kind) => new Watching(session, trace, effect, kind),
    mayRepeat: (effect) => {
      if (trace.isConfirming) return true
      // Another caller's request may have caused the effect, so only the versions of one check share its proof.
      const kind = `${trace.check}: ${effect}`
      trace.suspicions.add(kind)
      patience.leftRepetition(kind)
      return false
    },
    isSuspicious: () => trace.suspicions.size > 0,
    mayShorten: () => patience.mayShorten(clock.now()),
    outlastCopies: async (areOld) => {
      await wait(betweenRounds, 'the comparison to be repeated')
      const haveAge = areOld || showCache(trace.exchanges)
      // Feeds may be late by hours (document: Limits), so their other effects prove nothing.
      const isFeed = trace.check.startsWith('events.')
      return haveAge
        ? pauseFor(newCopies, isFeed ? patience.longest : patience.ofOperation(operationOf(trace)))
        : true
    },
  }
}

/** The kind of an effect: the same operation, looked at in the same way. */
const kindOf = (trace: Trace, effect: string) => `${operationOf(trace)}: ${effect}`

const operationOf = ({ check }: Trace) => check.split('.').slice(0, 2).join('.')

/** Notes an effect that the check did not see. */
export function suspect(trace: Trace, effect: string) {
  trace.suspicions.add(kindOf(trace, effect))
}

/** A series of readings for one check. */
class Watching implements Watch {
  readonly #session: Session
  readonly #trace: Trace
  readonly #effect: string
  readonly #how: WatchKind
  readonly #name: string
  readonly #began: number
  #turn = 0
  #isAwaiting = false
  #moved = Number.NEGATIVE_INFINITY

  constructor(session: Session, trace: Trace, effect: string, how: WatchKind) {
    this.#session = session
    this.#trace = trace
    this.#effect = effect
    this.#how = how
    // The work of all operations is one kind: it is waited for together.
    this.#name = how === 'work' ? effect : kindOf(trace, effect)
    this.#began = session.clock.now()
  }

  appeared() {
    this.#awaitWork(false)
    this.#session.patience.appeared(this.#name, this.#elapsed())
  }

  moved() {
    this.#moved = this.#elapsed()
  }

  isOver() {
    return (
      this.#how !== 'work' ||
      (this.#session.patience.sufficesForWork && this.#elapsed() - this.#moved >= restOfWork)
    )
  }

  async pause() {
    const { check, turn } = this.#trace
    if (this.#how === 'rest') return this.#rest()
    const limit = this.#limit()
    const left = limit - this.#elapsed()
    this.#awaitWork(left > 0)
    if (left <= 0) {
      this.#miss(limit)
      return false
    }
    // In the first judgement, work is left to the confirmation as soon as no other check is judged.
    const longest = this.#how === 'work' && !this.#trace.isConfirming ? betweenLooks : left
    const seconds = Math.min(pauses[this.#turn] ?? pauses.at(-1) ?? 0, left, longest)
    this.#turn += 1
    const waiting = { what: this.#effect, seconds, atMost: limit, check }
    const isLong = this.#how === 'work' || this.#isPatient()
    if (isLong) await turn.vacate(() => this.#session.pause(waiting))
    else await this.#session.wait(waiting)
    return true
  }

  #awaitWork(isAwaiting: boolean) {
    if (this.#how !== 'work' || this.#isAwaiting === isAwaiting) return
    this.#isAwaiting = isAwaiting
    this.#trace.turn.awaitWork(isAwaiting)
  }

  /** The seconds for this series, which depend on the lags that the run has seen meanwhile. */
  #limit() {
    const { patience } = this.#session
    if (this.#how === 'work') return this.#forWork()
    if (!this.#isPatient()) return patience.expected(this.#name)
    return patience.inTime(this.#name, this.#began)
  }

  /** A miss after a brief look is a suspicion. The absence of an effect that is often missing is none. */
  #miss(limit: number) {
    const { patience } = this.#session
    const isCut = this.#how === 'work' && limit < patience.forWork(this.#name, this.#began)
    if (isCut) {
      patience.left(this.#name)
      this.#trace.suspicions.add(this.#name)
      return
    }
    patience.missed(this.#name)
    const isOver = this.#isPatient() && limit < patience.whole(this.#name, this.#began)
    if (isOver)
      throw new Untested('the confirmations ended before the whole patience', [], {
        code: 'not-confirmed',
      })
    const { isConfirming, suspicions } = this.#trace
    const isShort = this.#how === 'glance' && limit < unknownLag && !isConfirming
    const isConfirmed = this.#how === 'work' && isConfirming
    if (this.#how === 'effect' || isShort || isConfirmed) suspicions.add(this.#name)
  }

  /** Work may take its time while other checks are judged. After these, only the confirmation waits for it. */
  #forWork() {
    const { patience } = this.#session
    const whole = patience.forWork(this.#name, this.#began)
    const { isConfirming, turn } = this.#trace
    if (isConfirming) return Math.min(whole, patience.longestInTime(this.#began))
    return turn.isLast() ? Math.min(whole, patience.expected(this.#name)) : whole
  }

  /** True for the effect of a request whose absence would be a deviation now. A confirmation is patient with a kind until it has missed one. */
  #isPatient() {
    const { isConfirming, suspicions } = this.#trace
    return this.#how === 'effect' && isConfirming && !suspicions.has(this.#name)
  }

  async #rest() {
    if (this.#turn === restingReadings) return false
    this.#turn += 1
    await this.#session.wait({
      what: this.#effect,
      seconds: betweenRounds,
      check: this.#trace.check,
    })
    return true
  }

  #elapsed() {
    return (this.#session.clock.now() - this.#began) / 1000
  }
}

/** True where a response shows that it is a copy of a cache: by its headers, or by a date before that of an earlier response. */
function showCache(exchanges: Iterable<Exchange>) {
  const inOrder = [...exchanges].sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
  let latest = 0
  for (const exchange of inOrder.filter(({ request }) => request.method === 'GET')) {
    const date = Date.parse(exchange.header('date') ?? '')
    if (isCopy(exchange) || date < latest - oneSecond) return true
    latest = Math.max(latest, date || 0)
  }
  return false
}

function isCopy(exchange: Exchange) {
  const lifetime = /(?:max-age|s-maxage)=(\d+)/i.exec(exchange.header('cache-control') ?? '')?.[1]
  return (
    Number(exchange.header('age')) > 0 ||
    Number(lifetime) > 0 ||
    /hit/i.test(exchange.header('x-cache') ?? '')
  )
}
