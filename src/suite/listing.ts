import { createHash } from 'node:crypto'
import type { Caller } from '../http/exchange/caller.ts'
import { Exchange } from '../http/exchange/exchange.ts'
import type { QueryValue, RequestSpec } from '../http/exchange/request-spec.ts'
import type { Endpoint, Paging } from '../spec/endpoints.ts'
import { remembered } from '../text/data.ts'
import type { CheckContext } from './context.ts'
import { isObject, type Located, mostItems, valuesOf } from './located.ts'
import { bracketed } from './observe.ts'

/** Query parameters, by name. */
export type Query = Readonly<Record<string, QueryValue>>

/** One list of a target: an endpoint with the parameters of its path, and the caller who reads it. */
export interface ListAddress {
  readonly endpoint: Endpoint & { readonly paging: Paging }
  readonly params?: Readonly<Record<string, string | number>>
  /** The filters of every request for the list. */
  readonly query?: Query
  readonly as: Caller
  /** A declared address in place of the endpoint's path. */
  readonly path?: string
  /** A version in place of the session's. */
  readonly version?: string
  /** The identity of an item; its member `id` unless stated. */
  readonly identify?: (item: unknown) => string
}

/** An item of a list that can be read again. */
export type ListItem = Located & { readonly list: Listing }

/** The pages of a whole list, and their items. */
export interface Walk {
  readonly items: readonly ListItem[]
  readonly ids: readonly string[]
  readonly pages: readonly Exchange[]
  /** The response after the last page: empty, refused, or that page again. */
  readonly end: readonly Exchange[]
  /** True when the target returned the same page for the next number again. */
  readonly repeated: boolean
  /** True when the walk ended at its limit: it proves nothing about further items (readings G14). */
  readonly cut: boolean
}

interface WalkOptions {
  readonly fresh?: boolean
  readonly query?: Query
  /** True for a page that ends the walk. */
  readonly enough?: (page: Exchange) => boolean
}

/** A longer id is replaced by its hash, since many ids are in memory at once. Characters. */
const longestId = 1024

/** The ids of short pages, kept for all checks because parsing takes time. The key is the function that identifies items. */
const knownIds = new WeakMap<(item: unknown) => string, WeakMap<Exchange, readonly string[]>>()
const fewIds = 200

/** The most pages that a walk reads. */
const walkLimit = 40

/** How a page is read around a probe. */
interface BracketOptions<Result> {
  /** A first reading that checks share. It suffices if the result is as expected. */
  readonly shared?: () => Promise<Exchange>
  /** True for a result that copies from different instants would cause, besides two pages whose items moved on. */
  readonly mayBeOld?: (result: Result) => boolean
}

type ListingContext = Pick<
  CheckContext,
  'read' | 'send' | 'untested' | 'deviation' | 'outlastCopies'
>

/** Reads one list: single pages, all pages, or a page before and after a probe. */
export class Listing {
  readonly #context: ListingContext
  readonly #address: ListAddress
  readonly #ids = new WeakMap<Exchange, readonly string[]>()

  constructor(context: ListingContext, address: ListAddress) {
    this.#context = context
    this.#address = address
  }

  /** The page sizes of the list, from its endpoint. */
  get paging(): Paging {
    return this.#address.endpoint.paging
  }

  /** The path of the list in the document's words, relative to the base URL. */
  get path(): string {
    const { endpoint, params, path } = this.#address
    return (
      path ??
      (endpoint.path ?? '').replace(/\{([^}]+)\}/g, (_, name: string) => String(params?.[name]))
    )
  }

  /** The request for a page of the list. */
  request(query: Query = {}): RequestSpec {
    const { identify: _, query: own, ...address } = this.#address
    return { ...address, query: { ...own, ...query } }
  }

  /** A page, which may be shared with other checks. Ends the check unless it is an array. */
  async page(query: Query = {}): Promise<Exchange> {
    return this.#served(query, await this.#context.read(this.request(query)))
  }

  /** A page that is read for this check. */
  async freshPage(query: Query = {}): Promise<Exchange> {
    return this.#served(query, await this.#context.send(this.request(query)))
  }

  /** The items of a page, in its order. */
  items(page: Exchange): ListItem[] {
    return valuesOf(page).map((value, index) => ({
      value,
      exchange: page,
      pointer: `/${index}`,
      list: this,
    }))
  }

  /** The ids of a page, in the order of its items. */
  ids(page: Exchange): string[] {
    const { identify = identityOf } = this.#address
    const known =
      page.count > fewIds ? this.#ids : remembered(knownIds, identify, () => new WeakMap())
    return [...remembered(known, page, () => valuesOf(page).map((value) => identify(value)))]
  }

  /** All pages of the greatest size up to an empty, refused or repeated one, or up to one that is `enough`. Shared between checks unless `fresh`. */
  async walk({ fresh = false, query = {}, enough = () => false }: WalkOptions = {}): Promise<Walk> {
    const pages: Exchange[] = []
    const end: Exchange[] = []
    let repeated = false
    let bytes = 0
    for (let number = 1; number <= walkLimit && bytes < mostItems; number += 1) {
      const asked = {
        ...query,
        per_page: this.paging.max,
        ...(number === 1 ? {} : { page: number }),
      }
      const { page, isEnd } = await this.#walked(asked, number, fresh)
      repeated =
        !isEnd && pages.length > 0 && sameIds(this.ids(page), this.ids(pages.at(-1) as Exchange))
      if (isEnd || repeated) end.push(page)
      if (end.length > 0) break
      pages.push(page)
      bytes += page.body.weight
      if (page.count === 0 || enough(page)) break
    }
    const cut = pages.length === walkLimit || bytes >= mostItems
    const items = () => pages.flatMap((page) => this.items(page))
    return {
      // The items of all pages are large, so they are made at each use and not kept.
      get items() {
        return items()
      },
      ids: pages.flatMap((page) => this.ids(page)),
      pages,
      end,
      repeated,
      cut,
    }
  }

  /** Reads a page, runs `probe` and reads it again until both readings agree ({@link bracketed}). Untested if they never do. */
  async bracket<Result>(
    frame: Query,
    probe: () => Promise<Result>,
    expected?: (ids: string[], result: Result) => boolean,
    { shared, mayBeOld = () => false }: BracketOptions<Result> = {},
  ) {
    const look = await bracketed(this.#context, {
      read: () => this.freshPage(frame),
      shared,
      probe,
      same: this.same,
      expected: expected && ((page: Exchange, result: Result) => expected(this.ids(page), result)),
      mayBeOld: (page: Exchange, result: Result) =>
        mayBeOld(result) || this.#isShifted(page, [result].flat(), frame),
    })
    if (!look) return this.#context.untested('the list changed during each comparison')
    return { ids: this.ids(look.frame), page: look.frame, result: look.result }
  }

  /** Like {@link bracket}, with a first reading that checks share. It suffices if the result is as expected. */
  sharedBracket<Result>(
    frame: Query,
    probe: () => Promise<Result>,
    expected: (ids: string[], result: Result) => boolean,
  ) {
    return this.bracket(frame, probe, expected, { shared: () => this.page(frame) })
  }

  /** True for pages of which some items moved on: they may be copies from different instants. Their sizes agree, unless the list ends before. */
  #isShifted(
    page: Exchange,
    others: readonly unknown[],
    { per_page: size = this.paging.default }: Query,
  ) {
    const ids = this.ids(page)
    const beside = others
      .filter((other) => other instanceof Exchange)
      .flatMap((other) => this.ids(other))
    const isBesideIt = beside.some((id) => ids.includes(id)) && !sameIdSet(ids, beside)
    // A new item moves the others by one place, and may fill the last page.
    const tolerance = Math.abs(ids.length - beside.length) < 2 ? 1 : 0
    return isBesideIt && Math.max(ids.length, beside.length) < Number(size) + tolerance
  }

  /** True when two pages contain the same items in the same order. */
  readonly same = (a: Exchange, b: Exchange): boolean => sameIds(this.ids(a), this.ids(b))

  async #walked(query: Query, number: number, fresh: boolean) {
    const spec = this.request(query)
    const page = fresh ? await this.#context.send(spec) : await this.#context.read(spec)
    const isEnd = number > 1 && !page.broken && (page.status >= 400 || page.count === 0)
    return { page: isEnd ? page : await this.#served(query, page), isEnd }
  }

  /** Returns a served list. Deviates if the list is served only without these parameters, and ends as untested otherwise. */
  async #served(query: Query, page: Exchange) {
    if (isServed(page)) return page
    const deviate = (last: Exchange, ...before: Exchange[]) =>
      this.#context.deviation({
        expected: '200 with a JSON array',
        actual: describe(last),
        exchanges: [...before, last],
      })
    if (page.broken) return deviate(page)
    const plain = await this.#context.send(this.request())
    const again = await this.#context.send(this.request(query))
    if (isServed(again)) return again
    // A list that needs no permission may still need authentication, for some pages alone (readings C12).
    const isClosed = again.refused && again.status !== 404 && !this.#address.as.secret
    if (isServed(plain) && !isClosed) return deviate(again, plain)
    return this.#context.untested(`GET ${this.path} returned ${describe(again)}`)
  }
}

const isServed = (page: Exchange) => page.status === 200 && page.isList

function identityOf(item: unknown) {
  // Ids beyond 2^53 are not read exactly, so the guid or the whole item identifies the item.
  const isExact = isObject(item) && (typeof item.id !== 'number' || Number.isSafeInteger(item.id))
  const id =
    JSON.stringify(
      isExact ? item.id : isObject(item) && typeof item.guid === 'string' ? item.guid : item,
    ) ?? 'undefined'
  return id.length > longestId ? createHash('sha256').update(id).digest('hex') : id
}

/** True when two lists of ids are equal, order included. */
export function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index])
}

/** True when two lists contain the same ids, in any order. */
export function sameIdSet(a: readonly string[], b: readonly string[]): boolean {
  return sameIds([...a].sort(), [...b].sort())
}

function describe(page: Exchange) {
  return page.status === 200 ? '200 with a body that is not a JSON array' : String(page.status)
}
