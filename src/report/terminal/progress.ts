import type { CheckRecord } from '../../record/check-record.ts'
import { type LaneName, titleOf } from '../../record/lane-name.ts'
import type { ProgressEvent } from '../../record/progress-event.ts'
import { remembered, sumOf } from '../../text/data.ts'
import { counted, cut, grouped, printable } from '../../text/format.ts'
import { claimLines } from '../view/findings.ts'
import { shorterIntervals } from '../view/subject.ts'
import { OpenWaits } from './open-waits.ts'

/** The stream for the progress: a terminal gets one live line, other streams get plain lines. */
export interface ProgressStream {
  write(text: string): void
  /** Replaces the live line of a terminal. */
  redraw(line: string): void
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The time without output after which redirected output gets a line about the progress. Milliseconds. */
const heartbeat = 30_000

/** How often the display looks at the clock. Milliseconds. */
const everySecond = 1000

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

/** The facts about a run that its progress needs. */
export interface RunFacts {
  /** The number of applicable checks in each lane. */
  readonly totals: ReadonlyMap<LaneName, number>
  /** The longest patience of the confirmations. Seconds. Absent for a run that confirms nothing. */
  readonly patience?: number | undefined
}

/** The numbers of one lane. A check that the target need not pass is not counted. */
interface Counts {
  done: number
  failed: number
  suspected: number
}

/** Shows the progress of a run: judged checks, failures, open waits, the elapsed time, and the time left where it is known. */
export class Progress {
  readonly #stream: ProgressStream
  readonly #facts: RunFacts
  readonly #started = Date.now()
  readonly #counts = new Map<LaneName, Counts>()
  readonly #waits = new OpenWaits()
  /** The kinds of open waits that were printed. */
  #printed: ReadonlySet<string> = new Set()
  #timer: ReturnType<typeof setInterval> | undefined
  #lastLine = this.#started
  /** When the last check was judged. Milliseconds from the start. */
  #judgedAt = 0
  #hasShownFailure = false
  #hasShownInterval = false
  /** The open confirmations, and the end of their patience. Milliseconds. */
  #confirming: { suspected: number; until: number } | undefined
  #hasConfirmed = false

  constructor(stream: ProgressStream, facts: RunFacts) {
    this.#stream = stream
    this.#facts = facts
  }

  /** Receives the events of the run. */
  readonly receive = (event: ProgressEvent): void => {
    this.#timer ??= setInterval(() => this.#look(), everySecond).unref()
    const now = Date.now()
    if (event.type === 'check') this.#judged(event.lane, event.record)
    else if (event.type === 'waiting') this.#waits.begin(event.lane, event.waiting, now)
    else if (event.type === 'waited') this.#waits.end(event.lane, event.waiting, now)
    else if (event.type === 'confirming') this.#confirm(event.suspected, now + event.patience * 1000)
    else if (event.type === 'requests' && event.sent % 10 === 0) this.#draw()
  }

  /** Prints a line between those of the progress. */
  print(text: string): void {
    if (this.#stream.isTTY) this.#stream.redraw('')
    this.#lastLine = Date.now()
    this.#stream.write(`${printable(text)}\n`)
  }

  /** Ends the display and removes the live line. */
  end(): void {
    clearInterval(this.#timer)
    if (this.#stream.isTTY) this.#stream.redraw('')
  }

  #judged(lane: LaneName, record: CheckRecord): void {
    this.#waits.judged(lane, record.id)
    if (record.outcome === 'inapplicable') return
    const counts = this.#of(lane)
    counts.done += 1
    this.#judgedAt = Date.now() - this.#started
    this.#hasConfirmed ||= this.#confirming !== undefined
    if (record.suspicions) counts.suspected += 1
    else if (record.outcome === 'failed') counts.failed += 1
    if (record.outcome === 'failed') this.#printFailure(lane, record)
    if (counts.done === this.#facts.totals.get(lane))
      this.print(`${titleOf(lane)}  ${this.#countsOf([lane])} in ${this.#elapsed()}`)
    this.#draw()
  }

  /** Prints the id of a failed check, and for the first one also its claim with the expected and the actual value. */
  #printFailure(lane: LaneName, record: CheckRecord): void {
    const suspected = this.#facts.patience === undefined ? 'suspected' : 'suspected, to be confirmed:'
    this.print(`${titleOf(lane)}  ${record.suspicions ? suspected : 'failed'} ${record.id}`)
    if (this.#hasShownFailure) return
    this.#hasShownFailure = true
    for (const line of claimLines(record)) this.print(line)
  }

  #confirm(suspected: number, until: number): void {
    this.#confirming = { suspected, until }
    this.#draw()
  }

  /** Prints the waits that have become long, and the progress after a long silence. */
  #look(): void {
    const waits = this.#waits.at(Date.now())
    const interval = waits.find((wait) => wait.interval !== undefined)?.interval
    if (interval !== undefined) this.#printInterval(interval)
    if (!this.#stream.isTTY) {
      for (const { what, text } of waits) if (!this.#printed.has(what)) this.print(`${this.#elapsed()}  ${text}`)
    }
    this.#printed = new Set(waits.map(({ what }) => what))
    this.#draw()
  }

  /** Prints once how a run without long poll intervals is made. */
  #printInterval(seconds: number): void {
    if (this.#hasShownInterval) return
    this.#hasShownInterval = true
    const asked = `the target asks for a pause between two polls of an address (X-Poll-Interval): here of ${counted(seconds, 'second')}`
    this.print(`note: ${asked}. ${shorterIntervals}`)
  }

  #of(lane: LaneName): Counts {
    return remembered(this.#counts, lane, () => ({ done: 0, failed: 0, suspected: 0 }))
  }

  #countsOf(lanes: readonly LaneName[]): string {
    const sum = (of: (lane: LaneName) => number) => sumOf(lanes, of)
    const total = sum((lane) => this.#facts.totals.get(lane) ?? 0)
    const suspected = sum((lane) => this.#of(lane).suspected)
    const failed = `${grouped(sum((lane) => this.#of(lane).failed))} failed`
    const checks = `${grouped(sum((lane) => this.#of(lane).done))} of ${grouped(total)} checks`
    return [checks, failed, ...(suspected > 0 ? [`${grouped(suspected)} suspected`] : [])].join(', ')
  }

  #elapsed(): string {
    return clock(Date.now() - this.#started)
  }

  #draw(): void {
    if (this.#stream.isTTY) this.#stream.redraw(cut(this.#live(), (this.#stream.columns || 80) - 2))
    else if (Date.now() - this.#lastLine >= heartbeat) this.print(this.#live())
  }

  #live(): string {
    const [longest, ...others] = this.#waits.at(Date.now())
    const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other wait')}`
    const wait = longest ? [`${longest.text}${more}`] : []
    const counts = [this.#countsOf([...this.#facts.totals.keys()]), ...this.#timeLeft(longest !== undefined)]
    return printable([this.#elapsed(), counts.join(', '), ...wait].join('  '))
  }

  /** The time left if it is known: the confirmations take at most the patience, and before them every check is assumed to take as long. */
  #timeLeft(isWaiting: boolean): string[] {
    const lanes = [...this.#facts.totals.keys()]
    const suspected = sumOf(lanes, (lane) => this.#of(lane).suspected)
    const failed = sumOf(lanes, (lane) => this.#of(lane).failed)
    if (this.#hasConfirmed) return []
    if (this.#confirming) return [confirmingText(this.#confirming)]
    if (suspected > 0) return confirmingLater(suspected, this.#facts.patience)
    if (failed > 0 || isWaiting) return []
    return this.#estimate(lanes)
  }

  /** The last checks take longest, so there is no estimate for them. */
  #estimate(lanes: readonly LaneName[]): string[] {
    const done = sumOf(lanes, (lane) => this.#of(lane).done)
    const total = sumOf(lanes, (lane) => this.#facts.totals.get(lane) ?? 0)
    const left = (this.#judgedAt * total) / done - (Date.now() - this.#started)
    const isKnown = done * 10 >= total && (total - done) * 20 >= total && left >= 1000
    return isKnown ? [`about ${clock(left)} left at this pace`] : []
  }
}

function confirmingText({ suspected, until }: { suspected: number; until: number }): string {
  const left = until - Date.now()
  const suspicions = counted(suspected, 'suspicion')
  return left > 0 ? `up to ${clock(left)} to confirm ${suspicions}` : `confirming ${suspicions}`
}

function confirmingLater(suspected: number, patience: number | undefined): string[] {
  return patience === undefined ? [] : [`then up to ${clock(patience * 1000)} to confirm ${counted(suspected, 'suspicion')}`]
}
