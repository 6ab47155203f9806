import { grouped } from '../../record/coverage.ts'
import type { RunListener } from '../../run/engine/engine.ts'
import { type LaneName, titleOf } from '../../run/engine/lane-name.ts'
import { cut, printable } from '../../text/format.ts'

/** Where progress is written: a terminal gets one live line, anything else plain lines. */
export interface ProgressStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Waits that redirected output mentions, each kind once. Seconds. */
const worthMentioning = 5

/** How long redirected output may be silent. Milliseconds. */
const heartbeat = 30_000

/** Shows how far a run is: checks done of total, failures, the time that has passed, and what is waited for. Requests are counted once, in the conclusion. */
export class Progress implements RunListener {
  readonly #stream: ProgressStream
  readonly #totalOf: (lane: LaneName) => number
  readonly #now: () => number
  readonly #started: number
  readonly #state = new Map<LaneName, { done: number; failed: number }>()
  readonly #mentioned = new Set<string>()
  #lastLine: number
  #waiting = ''

  constructor(stream: ProgressStream, totalOf: (lane: LaneName) => number, now: () => number = Date.now) {
    this.#stream = stream
    this.#totalOf = totalOf
    this.#now = now
    this.#started = now()
    this.#lastLine = this.#started
  }

  check(lane: LaneName, record: { id: string; outcome: string }): void {
    const state = this.#of(lane)
    state.done += 1
    this.#waiting = ''
    if (record.outcome === 'failed') {
      state.failed += 1
      this.#line(`${titleOf(lane)}  failed ${record.id}`)
    }
    if (state.done === this.#totalOf(lane)) this.#line(`${this.#laneText(lane)} in ${this.#elapsed()}`)
    this.#draw(lane)
  }

  requests(lane: LaneName, sent: number): void {
    if (sent % 10 === 0) this.#draw(lane)
  }

  waiting(lane: LaneName, { what, seconds }: { what: string; seconds: number }): void {
    this.#waiting = `waiting ${seconds} s for ${what}`
    // Waits that differ in an identifier only are one kind of wait.
    const kind = `${lane} ${what.replaceAll(/\d+/g, '#')}`
    if (!this.#stream.isTTY && seconds >= worthMentioning && !this.#mentioned.has(kind)) {
      this.#mentioned.add(kind)
      this.#line(`${titleOf(lane)}  ${this.#waiting}`)
    }
    this.#draw(lane)
  }

  /** Removes the live line. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001b[2K')
  }

  #of(lane: LaneName) {
    const state = this.#state.get(lane) ?? { done: 0, failed: 0 }
    this.#state.set(lane, state)
    return state
  }

  #laneText(lane: LaneName): string {
    const { done, failed } = this.#of(lane)
    return `${titleOf(lane)}  ${grouped(done)} of ${grouped(this.#totalOf(lane))} checks, ${failed} failed`
  }

  /** Minutes and seconds since the run began. */
  #elapsed(): string {
    const seconds = Math.floor((this.#now() - this.#started) / 1000)
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }

  #line(text: string): void {
    this.end()
    this.#lastLine = this.#now()
    this.#stream.write(`${printable(text)}\n`)
  }

  #draw(lane: LaneName): void {
    this.#of(lane)
    if (this.#stream.isTTY) this.#stream.write(`\r\u001b[2K${cut(this.#live(), (this.#stream.columns ?? 80) - 2)}`)
    else if (this.#now() - this.#lastLine >= heartbeat) this.#line(this.#live())
  }

  /** Every lane that is not done yet, in one line. */
  #live(): string {
    const open = [...this.#state.keys()].filter((lane) => this.#of(lane).done < this.#totalOf(lane))
    return printable([this.#elapsed(), ...open.map((lane) => this.#laneText(lane)), this.#waiting].filter(Boolean).join('  '))
  }
}
