import { printable } from '../expect/show.ts'
import type { RunListener } from '../run/engine.ts'
import type { ApiVersion } from '../spec/versions.ts'

/** Where progress is written: a terminal gets one live line, anything else plain lines. */
export interface ProgressStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Shows how far a run is: checks done of total, failures so far, requests, and what is waited for. */
export class Progress implements RunListener {
  readonly #stream: ProgressStream
  readonly #total: number
  readonly #state = new Map<ApiVersion, { done: number; failed: number; sent: number }>()
  #waiting = ''

  constructor(stream: ProgressStream, total: number) {
    this.#stream = stream
    this.#total = total
  }

  check(version: ApiVersion, record: { id: string; outcome: string }): void {
    const state = this.#of(version)
    state.done += 1
    this.#waiting = ''
    if (record.outcome === 'failed') {
      state.failed += 1
      this.#line(`${version}  failed ${record.id}`)
    }
    if (state.done === this.#total) this.#line(this.#summary(version))
    this.#draw(version)
  }

  requests(version: ApiVersion, sent: number): void {
    this.#of(version).sent = sent
    if (sent % 10 === 0) this.#draw(version)
  }

  waiting(version: ApiVersion, { what, seconds }: { what: string; seconds: number }): void {
    this.#waiting = `, waiting ${seconds} s for ${what}`
    if (!this.#stream.isTTY && seconds >= 5) this.#line(`${version}  waiting ${seconds} s for ${what}`)
    this.#draw(version)
  }

  /** Removes the live line. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001b[2K')
  }

  #of(version: ApiVersion) {
    const state = this.#state.get(version) ?? { done: 0, failed: 0, sent: 0 }
    this.#state.set(version, state)
    return state
  }

  #summary(version: ApiVersion): string {
    const { done, failed, sent } = this.#of(version)
    return `${version}  ${done} of ${this.#total} checks, ${failed} failed, ${sent} requests`
  }

  #line(text: string): void {
    this.end()
    this.#stream.write(`${printable(text)}\n`)
  }

  #draw(version: ApiVersion): void {
    if (!this.#stream.isTTY) return
    const text = printable(`${this.#summary(version)}${this.#waiting}`)
    this.#stream.write(`\r\u001b[2K${text.slice(0, (this.#stream.columns ?? 80) - 1)}`)
  }
}
