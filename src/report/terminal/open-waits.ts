import type { LaneName } from '../../record/lane-name.ts'
import type { Waiting } from '../../record/progress-event.ts'
import { groupBy, remembered } from '../../text/data.ts'
import { counted } from '../../text/format.ts'

/** Shorter waits are not mentioned. Milliseconds. */
const longWait = 2000

/** A pause that follows within this time continues the series of its check. Milliseconds. */
const sameSeries = 20_000

/** The time in which a look between two pauses does not interrupt their wait. Milliseconds. */
const brief = 1000

/** A wait of one check: a single pause, or the pauses between the looks of one watch. */
interface Wait {
  readonly what: string
  readonly check: string
  /** When the first pause began, and the latest possible end of the last one. Milliseconds. */
  since: number
  until: number
  /** The pauses that are open now. */
  open: number
  /** When the last pause ended. Milliseconds. */
  endedAt: number
  /** The longest pause. Seconds. */
  longest: number
}

/** All waits of one kind that are open now. */
interface OpenWait {
  readonly what: string
  /** `waiting 21 of at most 120 s for a notification (3 checks)`. */
  readonly text: string
  /** The longest pause, if the wait is for a poll interval. Seconds. */
  readonly interval?: number
}

/** The waits of a run by their kind. Waits of one kind count as one. */
export class OpenWaits {
  readonly #waits = new Map<string, Wait>()

  /** A pause begins at a time of the display. */
  begin(lane: LaneName, { what, seconds, check, atMost }: Waiting, now: number) {
    const wait = remembered(this.#waits, keyOf(lane, check, what), () => newWait(what, check, now))
    const isSame = wait.open > 0 || (atMost !== undefined && now - wait.endedAt < sameSeries)
    if (!isSame) Object.assign(wait, newWait(what, check, now))
    wait.open += 1
    wait.longest = Math.max(wait.longest, seconds)
    wait.until = Math.max(
      wait.until,
      atMost === undefined ? now + seconds * 1000 : wait.since + atMost * 1000,
    )
  }

  /** A pause ends. */
  end(lane: LaneName, { what, check }: Waiting, now: number) {
    const wait = this.#waits.get(keyOf(lane, check, what))
    if (!wait) return
    wait.open -= 1
    wait.endedAt = now
  }

  /** A check was judged, so it waits no longer. */
  judged(lane: LaneName, check: string) {
    for (const key of this.#waits.keys()) {
      if (key.startsWith(keyOf(lane, check, ''))) this.#waits.delete(key)
    }
  }

  /** The waits that have lasted for more than two seconds, the longest first. */
  at(now: number): OpenWait[] {
    const isOpen = ({ open, endedAt }: Wait) => open > 0 || now - endedAt < brief
    const long = [...this.#waits.values()].filter(
      (wait) => isOpen(wait) && now - wait.since > longWait,
    )
    const kinds = [...groupBy(long, ({ what }) => what).values()]
    return kinds.sort((a, b) => earliest(a) - earliest(b)).map((waits) => openWait(waits, now))
  }
}

const keyOf = (lane: LaneName, check: string, what: string) => `${lane} ${check} ${what}`

function newWait(what: string, check: string, now: number) {
  return { what, check, since: now, until: now, open: 0, endedAt: now, longest: 0 }
}

const earliest = (waits: readonly Wait[]) => Math.min(...waits.map(({ since }) => since))

function openWait(waits: readonly Wait[], now: number) {
  const what = waits[0]?.what ?? ''
  const since = earliest(waits)
  const most = Math.ceil((Math.max(...waits.map(({ until }) => until)) - since) / 1000)
  const checks = [...new Set(waits.map(({ check }) => check))].filter((check) => check !== '')
  const names = checks.length > 1 ? counted(checks.length, 'check') : checks.join('')
  const text = `waiting ${Math.floor((now - since) / 1000)} of at most ${most} s for ${what}${names && ` (${names})`}`
  const interval = Math.ceil(Math.max(...waits.map(({ longest }) => longest)))
  return { what, text, ...(checks.length === 0 ? { interval } : {}) }
}
