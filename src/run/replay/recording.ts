import type { LaneName } from '../../record/lane-name.ts'
import { UsageError } from '../../text/errors.ts'
import type {
  BodyLine,
  ClockLine,
  ExchangeLine,
  Place,
  RecordedRequest,
  RecordingHeader,
  RecordingLine,
  ValueLine,
} from './format.ts'
import { keyOf } from './places.ts'
import { readRecording } from './recording-file.ts'

/** A recording in memory, its events by their places. */
export class Recording {
  readonly header: RecordingHeader
  readonly #bodies = new Map<number, Buffer>()
  readonly #exchanges = new Map<string, ExchangeLine>()
  readonly #values = new Map<string, ValueLine>()
  readonly #clocks: ClockLine[] = []
  #notes: readonly string[] = []

  private constructor(header: RecordingHeader) {
    this.header = header
  }

  /** Throws {@link UsageError} for a file that is missing, damaged, not whole or no recording. */
  static async read(file: string): Promise<Recording> {
    let recording: Recording | undefined
    for await (const line of readRecording(file)) {
      if ('format' in line) recording ??= new Recording(line)
      else if (recording) recording.#learn(line)
    }
    if (!recording) throw new UsageError(`${file} is no recording of a run`)
    return recording
  }

  /** What was noticed about the connections, as sentences. */
  get notes(): readonly string[] {
    return this.#notes
  }

  exchange(place: Place, request: RecordedRequest): ExchangeLine | undefined {
    return this.#exchanges.get(keyOf(place, request))
  }

  value(place: Place, what: string, specifics: unknown): ValueLine | undefined {
    return this.#values.get(keyOf(place, [what, specifics]))
  }

  body(id: number): Buffer | undefined {
    return this.#bodies.get(id)
  }

  clocksOf(lane: LaneName): ClockLine[] {
    return this.#clocks.filter((line) => line.lane === lane)
  }

  #learn(line: RecordingLine): void {
    if (line.type === 'body') this.#bodies.set(line.id, bytesOf(line))
    else if (line.type === 'exchange') this.#exchanges.set(keyOf(line, line.request), line)
    else if (line.type === 'value') this.#values.set(keyOf(line, [line.what, line.with]), line)
    else if (line.type === 'clock') this.#clocks.push(line)
    else this.#notes = line.notes
  }
}

function bytesOf({ text, base64 }: BodyLine): Buffer {
  return base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64')
}
