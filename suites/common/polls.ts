import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing, type Query, type Walk } from '../../src/suite/listing.ts'
import { isObject, itemsOf } from '../../src/suite/located.ts'
import { bracketed } from '../../src/suite/observe.ts'
import type { PollSession, Validator } from '../../src/suite/poll-session.ts'
import { unlessUntested } from './proof.ts'

/** The properties of a list on which its polls depend. */
export interface Polled {
  readonly validator: Validator
  /** Sets of parameters that a poll may carry beside its paging. The first one with two items or more is sent. */
  readonly filters?: readonly Query[]
  /** The larger list to which the validator may belong. Absent if the validator belongs to the polled page. */
  readonly whole?: (list: ListAddress) => ListAddress
}

/** The same list with another token of its user, a different one in each version. No poll interval applies to a new token. */
export async function apart(
  t: CheckContext,
  address: ListAddress,
  more?: readonly string[],
): Promise<ListAddress> {
  const { role: of } = address.as
  const classic = {
    kind: 'classic',
    scopes: [isLatest(t) ? 'notifications' : 'repo', ...(more ?? [])],
  } as const
  const bare = {
    kind: isLatest(t) ? 'fine-grained' : 'app-user',
    permissions: {},
    only: true,
  } as const
  const as = of && (await unlessUntested(t.tokenFor({ ...(more ? classic : bare), of })))
  return as ? { ...address, as } : address
}

type PollOptions = Parameters<CheckContext['poll']>[2]

/** The polls of a list. */
export async function pollAt(
  t: CheckContext,
  validator: Validator,
  address: ListAddress,
  options?: PollOptions,
) {
  const listing = new Listing(t, address)
  return {
    listing,
    session: await t.poll(
      { ...listing.request(), ...(options && { extra: 'for a later page' }) },
      validator,
      options,
    ),
  }
}

/** Polls a list with another token of its user, else with the usual one. `options` mark a later page. */
export async function pollApart(
  t: CheckContext,
  validator: Validator,
  usual: ListAddress,
  options?: PollOptions,
) {
  // Later pages of a feed are polled by a token without any permission, because most feeds require none.
  const tokens = options ? [validator.response === 'ETag' ? undefined : [], ['user']] : [['repo']]
  for (const more of tokens) {
    const polls = await unlessUntested(pollAt(t, validator, await apart(t, usual, more), options))
    if (polls && polls.session.tries.length > 0) return polls
  }
  return pollAt(t, validator, usual, options)
}

/** Polls page 2 with filters. Only the check of the first page of anonymous callers sends a foreign validator. */
export async function pollLater(
  t: CheckContext,
  { validator, filters = [] }: Polled,
  usual: ListAddress,
) {
  const isAnonymous = usual.as.secret === undefined
  const page = (query?: Query) => ({
    ...usual,
    query: { ...query, per_page: 1, page: 2 },
  })
  const firstFilled = async () => {
    for (const filter of filters.slice(0, -1)) {
      const candidate = page(filter)
      if (itemsOf(await t.read(new Listing(t, candidate).request())).length > 0) return candidate
    }
    return undefined
  }
  const later = (await firstFilled()) ?? page(filters.at(-1))
  return unlessUntested(
    pollApart(t, validator, later, { unmeasured: isAnonymous, bare: isAnonymous }),
  )
}

/** Why polls of a list that has changed decide nothing. */
export const movedBetween = 'the list changed between the conditional requests'

/** The facts of a poll's response that tell whether the list moved. */
type Page = Pick<Exchange, 'status' | 'isList' | 'count'>

/** True if the list changed between the polls. A 200 with an emptied or unreadable list is no change (readings B2). */
export function hasMoved<Polled extends Page>(
  { same }: { readonly same: (source: Polled, response: Polled) => boolean },
  tries: readonly { readonly source: Polled; readonly response: Polled }[],
) {
  const isReadable = ({ source, response: { status, isList, count } }: (typeof tries)[number]) =>
    status === 304 || (status === 200 && isList && (count > 0 || source.count === 0))
  const isChanged = ({ source, response }: (typeof tries)[number]) =>
    response.status === 200 && !same(source, response)
  return tries.every(isReadable) && tries.some(isChanged)
}

/**
 * Polls a list between two equal walks, and returns the last response. Untested if the list changed. The first poll may send an
 * older validator.
 */
export async function pollAtRest(
  t: CheckContext,
  listing: Listing,
  validator: Validator,
  latest: Exchange,
  all: Listing,
) {
  const missing = `the response has no ${validator.response} to send back`
  let response = latest
  let isMoved = false
  const poll = async () => {
    const source = response.header(validator.response) ? response : await listing.freshPage()
    const current = source.header(validator.response) ?? t.untested(missing)
    response = await t.pollAgain(listing.request(), validator, current)
    // A cache may hide new items from the walks alone.
    isMoved ||= hasMoved(listing, [{ source, response }])
    return response.status === 304 ? response : undefined
  }
  const look = await bracketed(t, {
    read: () => all.walk({ fresh: true }),
    probe: poll,
    isCostly: true,
    same: (before, after) => !before.cut && !after.cut && stateOf(before) === stateOf(after),
    expected: (_, notModified) => notModified !== undefined,
  })
  return look && (look.result || !isMoved)
    ? response
    : t.untested(`${movedBetween}, or is too long to compare`)
}

/** The facts whose change may change the validator: the items, and for threads their dates and unread marks. */
const stateOf = ({ items, ids }: Walk) =>
  JSON.stringify([
    ids,
    items.map(
      ({ value }) => isObject(value) && [value.updated_at, value.last_read_at, value.unread],
    ),
  ])

/** The last 304 of a session. Ends the check as untested if there is none. */
export function notModified(t: CheckContext, session: PollSession) {
  const last = session.tries.findLast(({ response }) => response.status === 304)
  return last?.response ?? t.untested('no conditional request returned 304')
}
