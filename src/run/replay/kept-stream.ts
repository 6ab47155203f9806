import type { Consume } from '../../http/transport/transport.ts'
import { longestStream } from './format.ts'

/** Keeps what a reader of a stream has read of it, up to {@link longestStream}. */
export class KeptStream<Result> {
  readonly consume: Consume<Result>
  #chunks: Buffer[] | undefined
  #length = 0

  constructor(consume: Consume<Result>) {
    this.consume = (body) => {
      this.#chunks = []
      this.#length = 0
      return consume(this.#keeping(body))
    }
  }

  /** The bytes; undefined where nothing was read or where they were too many. */
  get bytes(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks)
  }

  async *#keeping(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      this.#length += chunk.length
      if (this.#length > longestStream) this.#chunks = undefined
      this.#chunks?.push(chunk)
      yield chunk
    }
  }
}
