import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../src/suite/listing.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'

/** Any JSON media type, with parameters (readings H4). */
export const jsonMediaType = {
  name: 'a JSON media type',
  pattern: /^application\/([\w.+-]+\+)?json\s*(;|$)|^text\/json\s*(;|$)/i,
}

/** A list that checks of an endpoint read. */
export interface ServedList<Needs extends NeedMap> {
  readonly id: string
  readonly needs: Needs
  /** Where the list is, which may take a look at what the target has. */
  readonly at: (needs: Resolved<Needs>, t: CheckContext) => ListAddress | Promise<ListAddress>
  /** The requirement that the endpoint's row states. */
  readonly requirement: string
  /** A refusal that the row lists without a trigger: it says nothing (readings C23). */
  readonly excuses?: readonly number[]
  /** Items of a further page that is judged; a list that grows while it is judged has none, since others share what is read. */
  readonly sized?: number
}

/** What answering a list request means: 200, a JSON array, with and without an Accept header. */
export function servedChecks<const Needs extends NeedMap>(list: ServedList<Needs>): Check[] {
  const { id, needs, requirement } = list
  return [
    check({
      id: `${id}.status`,
      requirement,
      level: 'must',
      title: 'returns 200 with a JSON array',
      needs,
      run: async (t, resolved) => {
        const address = await list.at(resolved, t)
        const request = new Listing(t, address).request()
        const answer = await t.read(request)
        await excused(t, list, address, answer)
        t.expect(answer).status(200).array()
      },
    }),
    check({
      id: `${id}.media-type`,
      requirement: 'conventions.json',
      level: 'must',
      title: 'sends a JSON media type as Content-Type',
      needs,
      run: async (t, resolved) => {
        const listing = new Listing(t, await list.at(resolved, t))
        t.expect(await listing.page()).header('content-type', jsonMediaType)
        const other = list.sized ? await t.read(listing.request({ per_page: list.sized })) : undefined
        if (other?.status === 200) t.expect(other).header('content-type', jsonMediaType)
      },
    }),
    check({
      id: `${id}.no-redirect`,
      requirement,
      level: 'should',
      title: 'returns 200 at the documented path, without a redirect',
      needs,
      run: async (t, resolved) => {
        const listing = new Listing(t, await list.at(resolved, t))
        await listing.page()
        t.expect(await t.read({ ...listing.request(), direct: true })).status(200)
      },
    }),
    check({
      id: `${id}.without-accept`,
      requirement: 'conventions.accept-optional',
      level: 'must',
      title: 'accepts a request without an Accept header',
      needs,
      run: async (t, resolved) => {
        const listing = new Listing(t, await list.at(resolved, t))
        await listing.page()
        t.expect(await t.read({ ...listing.request(), accept: null }))
          .status(200)
          .array()
      },
    }),
  ]
}

/** A refusal to nobody, or one without a stated trigger, is no verdict. */
async function excused<Needs extends NeedMap>(
  t: CheckContext,
  list: ServedList<Needs>,
  address: ListAddress,
  answer: Exchange,
): Promise<void> {
  if (list.excuses?.includes(answer.status))
    t.untested(`the response was ${answer.status}, which the document lists without stating when it applies`)
  if (address.as === anonymous && answer.refused) {
    await t.missing({ type: 'role', role: 'owner' }, 'the target rejects requests without a token')
  }
}
