import type { CheckRecord } from '../../record/check-record.ts'
import { type LaneName, titleOf } from '../../record/lane-name.ts'
import type { ProgressEvent } from '../../record/progress-event.ts'
import { remembered, sumOf } from '../../text/data.ts'
import { cut, grouped, printable } from '../../text/format.ts'

/** The stream for the progress: a terminal gets one live line, other streams get plain lines. */
export interface ProgressStream {
  write(text: string): void
  /** Replaces the live line of a terminal. */
  redraw(line: string): void
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The time without output after which redirected output gets a line about the progress, or about a wait. Milliseconds. */
const heartbeat = 30_000
const waitHeartbeat = 5000

/** Shows the current step of some work and, where it is known, the number of done items among all. */
export type ShowStep = (step: string, done?: number, of?: number) => void

/** Runs some work. On a terminal, its step, the elapsed time and the remaining time are visible; other streams get no text. */
export async function withStatus<Result>(stream: ProgressStream | undefined, work: (showStep: ShowStep) => Promise<Result>) {
  if (!stream?.isTTY) return work(() => {})
  const began = Date.now()
  let status = { text: '', since: began }
  let drawn = 0
  const draw = () => stream.redraw(cut(`${clock(Date.now() - began)}  ${status.text}`, (stream.columns || 80) - 2))
  const timer = setInterval(draw, 1000)
  try {
    return await work((step, done = 0, of = 0) => {
      if (done <= 1) status = { ...status, since: Date.now() }
      const left = done > 1 ? `, about ${clock(((Date.now() - status.since) / (done - 1)) * (of - done + 1))} left` : ''
      status.text = of > 0 ? `${step}, ${grouped(done)} of ${grouped(of)}${left}` : step
      if (done > 1 && Date.now() - drawn < 100) return
      drawn = Date.now()
      draw()
    })
  } finally {
    clearInterval(timer)
    stream.redraw('')
  }
}

/** Milliseconds as minutes and seconds: `1:07`. */
function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Shows the progress of a run: judged checks, failures, the elapsed time and the current wait. The time left assumes that all checks take equally long. */
export class Progress {
  readonly #stream: ProgressStream
  readonly #totalOf: (part: LaneName) => number
  readonly #now: () => number
  readonly #started: number
  readonly #state = new Map<LaneName, { done: number; failed: number }>()
  #lastLine: number
  #waiting = ''
  /** When the last check was judged. Milliseconds from the start. */
  #judgedAt = 0

  constructor(stream: ProgressStream, totalOf: (part: LaneName) => number, now: () => number = Date.now) {
    this.#stream = stream
    this.#totalOf = totalOf
    this.#now = now
    this.#started = now()
    this.#lastLine = this.#started
  }

  /** Receives the events of the run. */
  readonly receive = (event: ProgressEvent): void => {
    const { lane: part } = event
    if (event.type === 'check') this.#judged(part, event.record)
    else if (event.type === 'waiting') {
      this.#waiting = `waiting ${Math.ceil(event.seconds)} s for ${event.what}`
      this.#draw(part, waitHeartbeat)
    } else if (event.sent % 10 === 0) this.#draw(part)
  }

  #judged(part: LaneName, record: CheckRecord): void {
    const state = this.#of(part)
    state.done += 1
    this.#judgedAt = this.#now() - this.#started
    this.#waiting = ''
    if (record.outcome === 'failed') {
      state.failed += 1
      this.#line(`${titleOf(part)}  failed ${record.id}`)
    }
    if (state.done === this.#totalOf(part))
      this.#line(`${titleOf(part)}  ${this.#counts([part])} in ${clock(this.#now() - this.#started)}`)
    this.#draw(part)
  }

  /** Removes the live line. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.redraw('')
  }

  #of(part: LaneName) {
    return remembered(this.#state, part, () => ({ done: 0, failed: 0 }))
  }

  #counts(parts: readonly LaneName[]): string {
    const sum = (of: (part: LaneName) => number) => grouped(sumOf(parts, of))
    return `${sum((part) => this.#of(part).done)} of ${sum(this.#totalOf)} checks, ${sum((part) => this.#of(part).failed)} failed`
  }

  #line(text: string): void {
    this.end()
    this.#lastLine = this.#now()
    this.#stream.write(`${printable(text)}\n`)
  }

  #draw(part: LaneName, silence = heartbeat): void {
    this.#of(part)
    if (this.#stream.isTTY) this.#stream.redraw(cut(this.#live(), (this.#stream.columns || 80) - 2))
    else if (this.#now() - this.#lastLine >= silence) this.#line(this.#live())
  }

  #live(): string {
    const parts = [...this.#state.keys()]
    const elapsed = this.#now() - this.#started
    const [done, total] = [sumOf(parts, (part) => this.#of(part).done), sumOf(parts, this.#totalOf)]
    const expected = (this.#judgedAt * total) / done - elapsed
    // The last checks take longest: failures are judged again after waits, and some wait for the target.
    const hasFailed = parts.some((part) => this.#of(part).failed > 0)
    const isKnown = this.#waiting === '' && !hasFailed && done * 10 >= total && (total - done) * 20 >= total && expected >= 1000
    const left = isKnown ? `, about ${clock(expected)} left` : ''
    return printable([clock(elapsed), this.#counts(parts) + left, this.#waiting].filter(Boolean).join('  '))
  }
}
