import { every } from '../../http/transport/time/timers.ts'
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
export async function withStatus<Result>(
  stream: ProgressStream | undefined,
  work: (showStep: ShowStep) => Promise<Result>,
) {
  if (!stream?.isTTY) return work(() => {})
  const began = Date.now()
  let status = { text: '', since: began }
  let drawn = 0
  const draw = () =>
    stream.redraw(cut(`${clock(Date.now() - began)}  ${status.text}`, (stream.columns || 80) - 2))
  const stop = every(everySecond, draw)
  try {
    return await work((step, done = 0, of = 0) => {
      if (done <= 1) status = { ...status, since: Date.now() }
      const left =
        done > 1
          ? `, about ${clock(((Date.now() - status.since) / (done - 1)) * (of - done + 1))} left`
          : ''
      status.text = of > 0 ? `${step}, ${grouped(done)} of ${grouped(of)}${left}` : step
      if (done > 1 && Date.now() - drawn < 100) return
      drawn = Date.now()
      draw()
    })
  } finally {
    stop()
    stream.redraw('')
  }
}

/** Milliseconds as minutes and seconds: `1:07`. */
function clock(milliseconds: number) {
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
export function showProgress(stream: ProgressStream, facts: RunFacts) {
  const started = Date.now()
  const laneCounts = new Map<LaneName, Counts>()
  const openWaits = new OpenWaits()
  /** The kinds of open waits that were printed. */
  let printed: ReadonlySet<string> = new Set()
  let stop: (() => void) | undefined
  let lastLine = started
  /** When the last check was judged. Milliseconds from the start. */
  let judgedAt = 0
  let hasShownFailure = false
  let hasShownInterval = false
  /** The open confirmations, and the end of their patience. Milliseconds. */
  let confirming: { suspected: number; until: number } | undefined
  let hasConfirmed = false
  return { receive, print, end }

  /** Receives the events of the run. */
  function receive(event: ProgressEvent) {
    stop ??= every(everySecond, look)
    const now = Date.now()
    if (event.type === 'check') judged(event.lane, event.record)
    else if (event.type === 'waiting') openWaits.begin(event.lane, event.waiting, now)
    else if (event.type === 'waited') openWaits.end(event.lane, event.waiting, now)
    else if (event.type === 'confirming') confirm(event.suspected, now + event.patience * 1000)
    else if (event.type === 'requests' && event.sent % 10 === 0) draw()
  }

  /** Prints a line between those of the progress. */
  function print(text: string) {
    if (stream.isTTY) stream.redraw('')
    lastLine = Date.now()
    stream.write(`${printable(text)}\n`)
  }

  /** Ends the display and removes the live line. */
  function end() {
    stop?.()
    if (stream.isTTY) stream.redraw('')
  }

  function judged(lane: LaneName, record: CheckRecord) {
    openWaits.judged(lane, record.id)
    if (record.outcome === 'inapplicable') return
    const counts = of(lane)
    counts.done += 1
    judgedAt = Date.now() - started
    hasConfirmed ||= confirming !== undefined
    if (record.suspicions) counts.suspected += 1
    else if (record.outcome === 'failed') counts.failed += 1
    if (record.outcome === 'failed') printFailure(lane, record)
    if (counts.done === facts.totals.get(lane))
      print(`${titleOf(lane)}  ${countsOf([lane])} in ${elapsed()}`)
    draw()
  }

  /** Prints the id of a failed check, and for the first one also its claim with the expected and the actual value. */
  function printFailure(lane: LaneName, record: CheckRecord) {
    const suspected = facts.patience === undefined ? 'suspected' : 'suspected, to be confirmed:'
    print(`${titleOf(lane)}  ${record.suspicions ? suspected : 'failed'} ${record.id}`)
    if (hasShownFailure) return
    hasShownFailure = true
    for (const line of claimLines(record)) print(line)
  }

  function confirm(suspected: number, until: number) {
    confirming = { suspected, until }
    draw()
  }

  /** Prints the waits that have become long, and the progress after a long silence. */
  function look() {
    const waits = openWaits.at(Date.now())
    const interval = waits.find((wait) => wait.interval !== undefined)?.interval
    if (interval !== undefined) printInterval(interval)
    if (!stream.isTTY) {
      for (const { what, text } of waits) if (!printed.has(what)) print(`${elapsed()}  ${text}`)
    }
    printed = new Set(waits.map(({ what }) => what))
    draw()
  }

  /** Prints once how a run without long poll intervals is made. */
  function printInterval(seconds: number) {
    if (hasShownInterval) return
    hasShownInterval = true
    const asked = `the target asks for a pause between two polls of an address (X-Poll-Interval): here of ${counted(seconds, 'second')}`
    print(`note: ${asked}. ${shorterIntervals}`)
  }

  function of(lane: LaneName): Counts {
    return remembered(laneCounts, lane, () => ({ done: 0, failed: 0, suspected: 0 }))
  }

  function sumIn(lanes: readonly LaneName[]) {
    const sum = (name: keyof Counts) => sumOf(lanes, (lane) => of(lane)[name])
    const total = sumOf(lanes, (lane) => facts.totals.get(lane) ?? 0)
    return { total, done: sum('done'), failed: sum('failed'), suspected: sum('suspected') }
  }

  function countsOf(lanes: readonly LaneName[]) {
    const { total, done, failed, suspected } = sumIn(lanes)
    const doubtful = suspected > 0 ? `, ${grouped(suspected)} suspected` : ''
    return `${grouped(done)} of ${grouped(total)} checks, ${grouped(failed)} failed${doubtful}`
  }

  function elapsed() {
    return clock(Date.now() - started)
  }

  function draw() {
    if (stream.isTTY) stream.redraw(cut(live(), (stream.columns || 80) - 2))
    else if (Date.now() - lastLine >= heartbeat) print(live())
  }

  function live() {
    const [longest, ...others] = openWaits.at(Date.now())
    const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other wait')}`
    const wait = longest ? [`${longest.text}${more}`] : []
    const counts = [countsOf([...facts.totals.keys()]), ...timeLeft(longest !== undefined)]
    return printable([elapsed(), counts.join(', '), ...wait].join('  '))
  }

  /** The time left if it is known: the confirmations take at most the patience, and before them every check is assumed to take as long. */
  function timeLeft(isWaiting: boolean) {
    const { total, done, failed, suspected } = sumIn([...facts.totals.keys()])
    if (hasConfirmed) return []
    if (confirming) return [confirmingText(confirming)]
    if (suspected > 0) return confirmingLater(suspected, facts.patience)
    if (failed > 0 || isWaiting) return []
    // The last checks take longest, so there is no estimate for them.
    const left = (judgedAt * total) / done - (Date.now() - started)
    const isKnown = done * 10 >= total && (total - done) * 20 >= total && left >= 1000
    return isKnown ? [`about ${clock(left)} left at this pace`] : []
  }
}

function confirmingText({ suspected, until }: { suspected: number; until: number }) {
  const left = until - Date.now()
  const suspicions = counted(suspected, 'suspicion')
  return left > 0 ? `up to ${clock(left)} to confirm ${suspicions}` : `confirming ${suspicions}`
}

function confirmingLater(suspected: number, patience: number | undefined) {
  return patience === undefined
    ? []
    : [`then up to ${clock(patience * 1000)} to confirm ${counted(suspected, 'suspicion')}`]
}
