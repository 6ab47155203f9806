import { createHmac, randomBytes } from 'node:crypto'
import type { Redactor } from './redaction.ts'

/** Copies JSON values without secrets. Each text has one stand-in, so that a reader can distinguish tokens that it cannot use. */
export class StandIns {
  readonly #redactor: Redactor
  readonly #key = randomBytes(32)

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  /** A copy in which stand-ins replace the members `secret` and `token`. `label` names those that are not known as secrets yet. */
  copy<Value>(value: Value, label: string): Value {
    const replaced = (name: string, member: unknown) =>
      /^(secret|token)$/.test(name) && typeof member === 'string' ? this.#standIn(member, label) : member
    return this.#redactor.redactJson(JSON.parse(JSON.stringify(value, replaced)))
  }

  #standIn(secret: string, label: string): string {
    if (this.#redactor.labelIn(secret) === undefined) this.#redactor.add(secret, label)
    return createHmac('sha256', this.#key).update(secret).digest('hex').slice(0, 32)
  }
}
