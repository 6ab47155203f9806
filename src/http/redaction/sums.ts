import { randomInt } from 'node:crypto'

/** Differs in each process, so that no text can be made for it. */
const factor = 2 * randomInt(2 ** 24, 2 ** 30) + 1

/** The powers of the factor that were needed so far. */
const powers = [1]

function powerOf(exponent: number) {
  while (powers.length <= exponent) powers.push(Math.imul(powers.at(-1) ?? 1, factor))
  return powers[exponent] ?? 1
}

/** Sums of all beginnings of a text. Equal parts of any length have equal sums, and different parts hardly ever. */
export class Sums {
  readonly #upTo: Uint32Array

  constructor(text: string) {
    this.#upTo = new Uint32Array(text.length + 1)
    let sum = 0
    for (let at = 0; at < text.length; at += 1) {
      sum = Math.imul(sum, factor) + text.charCodeAt(at) + 1
      this.#upTo[at + 1] = sum
    }
  }

  /** The sum of a part of the text, in one step for any length. */
  of(from: number, to: number) {
    const before = Math.imul(this.#upTo[from] ?? 0, powerOf(to - from))
    return ((this.#upTo[to] ?? 0) - before) >>> 0
  }
}
