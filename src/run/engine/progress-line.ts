import type { MessagePort } from 'node:worker_threads'
import type { NamedSecret } from '../../http/redaction/redaction.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { Waiting } from '../judge/session.ts'
import type { LaneMessage, LaneName, ProgressMessage, TargetChange } from './messages.ts'

/** How often progress is told: a message for each exchange costs more than the exchange. Milliseconds. */
const every = 100

/** The worker's end of the line to the engine. Progress is gathered and told ten times a second; results are sent at once. */
export class ProgressLine {
  readonly #port: MessagePort
  readonly #sent = new Map<LaneName, number>()
  #records: ProgressMessage['records'] = []
  #waiting: ProgressMessage['waiting'] = []
  #changes: TargetChange[] = []
  #secrets: NamedSecret[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(port: MessagePort) {
    this.#port = port
  }

  judged(lane: LaneName, record: CheckRecord): void {
    this.#records.push({ lane, record })
    this.#soon()
  }

  sent(lane: LaneName, count: number): void {
    this.#sent.set(lane, count)
    this.#soon()
  }

  waits(lane: LaneName, waiting: Waiting): void {
    this.#waiting.push({ lane, waiting })
    this.#soon()
  }

  changed(change: TargetChange): void {
    this.#changes.push(change)
    this.#soon()
  }

  secret(named: NamedSecret): void {
    this.#secrets.push(named)
    this.#soon()
  }

  /** Tells what has not been told, and then this. */
  post(message: LaneMessage): void {
    this.#flush()
    this.#port.postMessage(message)
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), every)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const message: ProgressMessage = {
      type: 'progress',
      records: this.#records,
      waiting: this.#waiting,
      sent: [...this.#sent],
      changes: this.#changes,
      secrets: this.#secrets,
    }
    this.#records = []
    this.#waiting = []
    this.#changes = []
    this.#secrets = []
    this.#sent.clear()
    this.#port.postMessage(message)
  }
}
