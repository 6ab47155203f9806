import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { weightOf } from '../../../src/http/exchange/body.ts'
import { isObject } from '../../../src/suite/located.ts'
import { messageOf } from '../../../src/text/errors.ts'

/** The verdict on a JSON text; `items` counts its contents: the elements of an array, else 1, and 0 for an empty value. */
type JsonVerdict =
  | {
      readonly valid: true
      readonly items: number
      readonly envelope?: 'full' | 'empty' | undefined
    }
  | { readonly valid: false | undefined; readonly reason: string }

/** The reason why a text without any character is not valid. */
export const emptyText = 'it is empty'

/** A text that arrives in pieces. */
export interface JsonCheck {
  write(piece: Buffer): void
  end(): JsonVerdict
}

/** Checks a JSON text by its size: a small one in memory, a larger one as a stream. One that exceeds `left` is not checked. Bytes. */
export function jsonCheck(size: number, inMemory: number, left: number): JsonCheck {
  if (size > left) return uncheckedText
  return size <= inMemory ? new WholeText() : new PassingText()
}

/** Checking costs far more than reading: a text that would take minutes passes unchecked. */
const uncheckedText: JsonCheck = {
  write: () => {},
  end: () => ({
    valid: undefined,
    reason: 'the JSON of the archive is larger than what is checked',
  }),
}

class WholeText implements JsonCheck {
  readonly #pieces: Buffer[] = []

  write(piece: Buffer) {
    this.#pieces.push(piece)
  }

  end(): JsonVerdict {
    const bytes = Buffer.concat(this.#pieces)
    if (typeof weightOf(bytes) === 'string')
      return { valid: undefined, reason: 'it nests too deep or has too many values to be checked' }
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
    if (text === '') return { valid: false, reason: emptyText }
    try {
      const value: unknown = JSON.parse(text)
      return { valid: true, items: itemsIn(value), envelope: envelopeOf(value) }
    } catch (error) {
      return { valid: false, reason: messageOf(error) }
    }
  }
}

function itemsIn(value: unknown) {
  if (Array.isArray(value)) return value.length
  return value === null || (isObject(value) && Object.keys(value).length === 0) ? 0 : 1
}

/** An object with lists or objects inside may be an envelope around any number of objects: around none, if all its lists are empty. */
function envelopeOf(value: unknown) {
  const inside = Object.values(isObject(value) ? value : {}).filter(
    (member) => typeof member === 'object' && member !== null,
  )
  if (inside.length === 0) return undefined
  const lists = inside.filter(Array.isArray)
  return (lists[0] ? lists : inside).every((member) => Object.keys(member as object).length === 0)
    ? 'empty'
    : 'full'
}

/** Deeper texts, and single values longer than this, are valid JSON that would fill memory: they stay unchecked. */
const deepest = 1000
const longestToken = 4 * 1024 * 1024

const opening: readonly TokenType[] = [TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]
const closing: readonly TokenType[] = [TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]

class PassingText implements JsonCheck {
  readonly #tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 })
  readonly #parser = new TokenParser({ paths: [], keepStack: false })
  #verdict: JsonVerdict | undefined
  #depth = 0
  #items = 0
  #isArray = false
  #read = 0
  #lastToken = 0

  constructor() {
    this.#tokenizer.onToken = (token) => this.#take(token.token, token)
    this.#tokenizer.onError = (error) => this.#fail(error)
    this.#parser.onError = (error) => this.#fail(error)
    this.#parser.onValue = () => {}
  }

  write(piece: Buffer) {
    if (this.#verdict) return
    const text =
      this.#read === 0 && piece.subarray(0, 3).equals(byteOrderMark) ? piece.subarray(3) : piece
    this.#read += text.length
    try {
      this.#tokenizer.write(text)
    } catch (error) {
      this.#fail(error as Error)
    }
    if (this.#read - this.#lastToken > longestToken)
      this.#giveUp(`one value is longer than ${longestToken} bytes`)
  }

  end(): JsonVerdict {
    if (this.#verdict) return this.#verdict
    try {
      if (!this.#tokenizer.isEnded) this.#tokenizer.end()
      if (!this.#parser.isEnded) this.#parser.end()
    } catch (error) {
      this.#fail(error as Error)
    }
    const envelope = this.#isArray ? undefined : 'full'
    return this.#verdict ?? { valid: true, items: this.#items, envelope }
  }

  #take(type: TokenType, token: Parameters<TokenParser['write']>[0]) {
    // The rest of a piece still arrives after giving up. Its contents would only fill memory.
    if (this.#verdict) return
    this.#lastToken = this.#read
    if (opening.includes(type)) this.#open(type)
    else if (closing.includes(type)) this.#depth -= 1
    else if (this.#depth === 1 && this.#isArray && type === TokenType.COMMA) this.#items += 1
    else if (this.#items === 0) this.#items = 1
    this.#parser.write(token)
  }

  #open(type: TokenType) {
    if (this.#depth === 0) this.#isArray = type === TokenType.LEFT_BRACKET
    else if (this.#items === 0) this.#items = 1
    this.#depth += 1
    if (this.#depth > deepest) this.#giveUp(`it nests deeper than ${deepest} levels`)
  }

  #fail(error: Error) {
    this.#verdict ??= { valid: false, reason: error.message }
  }

  #giveUp(reason: string) {
    this.#verdict ??= { valid: undefined, reason }
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
