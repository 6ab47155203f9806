import type { Exchange } from '../http/exchange/exchange.ts'
import { validatorOf as packagedValidatorOf, type ValidateFunction } from '../package/schemas.ts'
import { defined } from '../text/data.ts'
import { asSent, show } from '../text/format.ts'
import { Deviation, type Difference, type Finding, failingItems } from './deviation.ts'
import type { Located } from './located.ts'
import { Untested } from './untested.ts'

/** Receives the number of subjects that an expectation examined. */
export type Count = (subjects: number) => void

/** A named form of a header's value. */
export interface Form {
  readonly name: string
  readonly pattern: RegExp
}

/** Claims about one response. Each throws a {@link Deviation} or counts the response and returns itself. */
export class ResponseExpectation {
  readonly #exchange: Exchange
  readonly #count: Count
  readonly #evidence: readonly Exchange[]
  readonly #validatorOf

  /** `evidence`: earlier exchanges that a deviation cites as well. */
  constructor(
    exchange: Exchange,
    count: Count,
    evidence: readonly Exchange[] = [],
    validatorOf = packagedValidatorOf,
  ) {
    this.#exchange = exchange
    this.#count = count
    this.#evidence = evidence
    this.#validatorOf = validatorOf
  }

  /** A claim in words. Unless `isTrue`, the check deviates: it expected `expected` and got `actual`, or else the status. */
  satisfy(
    expected: string,
    isTrue: boolean,
    actual = String(this.#exchange.status),
    difference?: Difference,
  ): this {
    const exchanges = [...this.#evidence, this.#exchange]
    if (!isTrue) throw new Deviation(defined({ expected, actual, difference, exchanges }))
    this.#count(1)
    return this
  }

  /** The status is one of these. */
  status(...accepted: number[]): this {
    return this.satisfy(accepted.join(' or '), accepted.includes(this.#exchange.status))
  }

  /** A refusal (readings G3): not 2xx, no server error and, if it is named, no `resource` in its body; untested unless 401, 403 or 404. */
  refused(resource?: string): this {
    const { status, ok, broken, refused } = this.#exchange
    this.satisfy('a refusal (401, 403 or 404)', !ok && !broken)
    if (!refused)
      throw new Untested(`the response was ${status}, which neither grants nor refuses access`)
    if (resource === undefined) return this
    const leaked = anyWithin(this.#exchange.json, this.#validatorOf(resource))
    return this.satisfy(
      `a refusal without ${resource} data`,
      !leaked,
      `${status} with ${resource} data`,
    )
  }

  /** The body is a JSON array. */
  array(): this {
    return this.satisfy('a JSON array as body', this.#exchange.isList, describeBody(this.#exchange))
  }

  /** Expects no body. On a tapped connection, bytes that a client would not see count as well. */
  noBody(): this {
    const { body, strayBytes = 0 } = this.#exchange.response
    const actual =
      strayBytes > 0 ? `${strayBytes} bytes after the headers` : `a body of ${body.length} bytes`
    return this.satisfy('no body', body.length + strayBytes === 0, actual)
  }

  /** A header with a value of this form. */
  header(name: string, form: Form): this {
    const value = this.#exchange.header(name)
    const actual = value === undefined ? `no ${name} header` : `${name}: ${asSent(value)}`
    const is = value === undefined ? 'absent' : `not ${form.name}`
    const fits = value !== undefined && form.pattern.test(value)
    return this.satisfy(`${name} as ${form.name}`, fits, actual, { of: `${name} header`, is })
  }

  /** The body is the resource that the schema describes. */
  matches(schema: string): this {
    const body = { value: this.#exchange.json, exchange: this.#exchange, pointer: '' }
    const validate = this.#validatorOf(schema)
    if (!validate(body.value)) throw new Deviation(mismatchOf(body, schema, validate))
    this.#count(1)
    return this
  }
}

/** Claims about every item of a list. */
export class ItemsExpectation<Value> {
  readonly #items: readonly Located<Value>[]
  readonly #count: Count
  readonly #validatorOf

  constructor(
    items: readonly Located<Value>[],
    what: string,
    count: Count,
    validatorOf = packagedValidatorOf,
  ) {
    if (items.length === 0)
      throw new Untested(`there was no ${what} to examine`, [], { code: 'nothing-to-examine' })
    this.#items = items
    this.#count = count
    this.#validatorOf = validatorOf
  }

  /** Each item is the resource that the schema describes. */
  match(schema: string): this {
    const validate = this.#validatorOf(schema)
    return this.#expect(validate, (item) => mismatchOf(item, schema, validate))
  }

  /** Each item satisfies a predicate; `actual` describes the item that does not, by default as JSON. */
  satisfy(
    expected: string,
    predicate: (value: Value) => boolean,
    actual: (value: Value) => string = show,
  ): this {
    const found = ({ value }: Located<Value>) => ({ expected, actual: actual(value) })
    const place = (pointer: string) => pointer.replace(/^\/\d+/, '')
    return this.#expect(predicate, (item) => ({
      ...found(item),
      difference: { of: `item${place(item.pointer)}`, is: `not as expected (${expected})` },
      pointer: item.pointer,
      exchanges: [item.exchange],
    }))
  }

  #expect(holds: (value: Value) => boolean, finding: (item: Located<Value>) => Finding): this {
    const failing = this.#items.filter(({ value }) => !holds(value))
    if (failing[0])
      throw new Deviation({ ...finding(failing[0]), items: failingItems(this.#items, failing) })
    this.#count(this.#items.length)
    return this
  }
}

function mismatchOf(item: Located, schema: string, validate: ValidateFunction) {
  validate(item.value)
  const [error] = validate.errors ?? []
  const { instancePath: at = '', keyword, message = 'to match', parentSchema } = error ?? {}
  const place = `${schema}${at && ` ${at}`}`
  const form = parentSchema?.examples ?? parentSchema?.pattern
  const rule = keyword === 'pattern' ? `must have the form ${form}` : message
  const difference = { of: place.replaceAll(/\/\d+(?=\/|$)/g, '/*'), is: rule }
  return {
    expected: `${place} ${rule}`,
    actual: keyword === 'required' ? `no ${error?.params.missingProperty}` : show(error?.data),
    difference,
    pointer: `${item.pointer}${at}`,
    exchanges: [item.exchange],
  }
}

function describeBody(exchange: Exchange): string {
  const { json, response } = exchange
  if (json !== undefined) return show(json)
  return response.body.length === 0
    ? 'an empty body'
    : `${response.body.length} bytes that are not JSON`
}

/** True when a JSON value or any value inside it satisfies a predicate: an error body may wrap a leak. */
function anyWithin(value: unknown, satisfies: (value: unknown) => boolean): boolean {
  if (satisfies(value)) return true
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => anyWithin(member, satisfies))
  )
}
