import { createHash } from 'node:crypto'

/** The members of needs and tokens that are secrets (schemas/needs). */
const secretMembers: readonly string[] = ['secret', 'token']

/** Gives every secret one text that stands for it in a recording: a replay has to tell tokens from each other. */
export class StandIns {
  readonly #bySecret = new Map<string, string>()
  readonly #learn: (secret: string, what: string) => void

  /** `learn` is told each secret that is found, and where it was: nothing else of the recording may contain it. */
  constructor(learn: (secret: string, what: string) => void) {
    this.#learn = learn
  }

  /** A copy of a JSON value with stand-ins in place of its secrets; `what` names the value. */
  replace<Value>(value: Value, what: string): Value {
    if (Array.isArray(value)) return value.map((item) => this.replace(item, what)) as Value
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([name, member]) => [name, this.#member(name, member, what)])
    return Object.fromEntries(members) as Value
  }

  #member(name: string, member: unknown, what: string): unknown {
    return secretMembers.includes(name) && typeof member === 'string' ? this.#standIn(member, what) : this.replace(member, what)
  }

  #standIn(secret: string, what: string): string {
    const made = () => createHash('sha256').update(`stand-in ${this.#bySecret.size}`).digest('hex').slice(0, 32)
    const standIn = this.#bySecret.get(secret) ?? made()
    this.#bySecret.set(secret, standIn)
    this.#learn(secret, what)
    return standIn
  }
}
