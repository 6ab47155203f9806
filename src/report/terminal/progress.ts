import type { RunListener } from '../../run/engine/engine.ts'
import type { LaneName } from '../../run/engine/messages.ts'
import { printable } from '../../text/show.ts'

/** Where progress is written: a terminal gets one live line, anything else plain lines. */
export interface ProgressStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Shows how far a run is: checks done of total, failures so far, requests, and what is waited for. */
export class Progress implements RunListener {
  readonly #stream: ProgressStream
  readonly #totalOf: (lane: LaneName) => number
  readonly #state = new Map<LaneName, { done: number; failed: number; sent: number }>()
  #waiting = ''

  constructor(stream: ProgressStream, totalOf: (lane: LaneName) => number) {
    this.#stream = stream
    this.#totalOf = totalOf
  }

  check(lane: LaneName, record: { id: string; outcome: string }): void {
    const state = this.#of(lane)
    state.done += 1
    this.#waiting = ''
    if (record.outcome === 'failed') {
      state.failed += 1
      this.#line(`${lane}  failed ${record.id}`)
    }
    if (state.done === this.#totalOf(lane)) this.#line(this.#summary(lane))
    this.#draw(lane)
  }

  requests(lane: LaneName, sent: number): void {
    this.#of(lane).sent = sent
    if (sent % 10 === 0) this.#draw(lane)
  }

  waiting(lane: LaneName, { what, seconds }: { what: string; seconds: number }): void {
    this.#waiting = `, waiting ${seconds} s for ${what}`
    if (!this.#stream.isTTY && seconds >= 5) this.#line(`${lane}  waiting ${seconds} s for ${what}`)
    this.#draw(lane)
  }

  /** Removes the live line. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001b[2K')
  }

  #of(lane: LaneName) {
    const state = this.#state.get(lane) ?? { done: 0, failed: 0, sent: 0 }
    this.#state.set(lane, state)
    return state
  }

  #summary(lane: LaneName): string {
    const { done, failed, sent } = this.#of(lane)
    return `${lane}  ${done} of ${this.#totalOf(lane)} checks, ${failed} failed, ${sent} requests`
  }

  #line(text: string): void {
    this.end()
    this.#stream.write(`${printable(text)}\n`)
  }

  #draw(lane: LaneName): void {
    if (!this.#stream.isTTY) return
    const text = printable(`${this.#summary(lane)}${this.#waiting}`)
    this.#stream.write(`\r\u001b[2K${text.slice(0, (this.#stream.columns ?? 80) - 1)}`)
  }
}
