import { anonymous, type Caller } from '../http/exchange/caller.ts'
import type { PreflightToken } from '../record/preflight-record.ts'
import { shorterIntervals } from '../report/view/subject.ts'
import type { Session } from '../run/judge/session.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import {
  type Area,
  type Endpoint,
  endpointLabel,
  endpoints,
  pathParameters,
} from '../spec/endpoints.ts'
import { groupBy } from '../text/data.ts'
import { grouped } from '../text/format.ts'
import { responseTo } from './preflight-tokens.ts'

/** The usual address of the remaining quota. */
export const usualQuota = {
  path: '/rate_limit',
  pointer: '/resources/core/remaining',
  counts: 'down',
} as const

/** Matches the ids of checks whose claim is about callers without a valid token. */
const aboutStrangers = /\.([a-z-]*anonymous[a-z-]*|[a-z-]*invented[a-z-]*|invalid-token)$/

/** Notes whether the quota of callers without a token suffices for the checks about them, if the target states one (readings H6). */
export function quotaNotes({ client, options }: Session, selection: readonly PlacedCheck[]) {
  const left = client.gate.leftFor(anonymous)
  const needed =
    options.config.versions.length *
    selection.filter(({ check }) => aboutStrangers.test(check.id)).length
  if (left === undefined || left >= needed) return []
  const claims = `${grouped(needed)} checks are about callers without a valid token`
  return [
    `${claims}, and the target accepts only ${grouped(left)} more of their requests; the rest of these checks will be untested`,
  ]
}

/** Shorter poll intervals cost a run little. Seconds. */
const longInterval = 5

/** A note on the poll intervals that the target asks for in the responses so far, with the ways to a shorter run. */
export function intervalNotes({ exchanges, options }: Session) {
  if (!options.config.polling.obey) return []
  const lists = Object.values(endpoints).flatMap((endpoint) => {
    const label = endpointLabel(endpoint)
    const intervals = exchanges
      .of(label)
      .map((each) => Number.parseInt(each.header('x-poll-interval') ?? '', 10) || 0)
    const longest = Math.max(0, ...intervals)
    return longest > longInterval ? [`${label} (${grouped(longest)} s)`] : []
  })
  if (lists.length === 0) return []
  return [
    `the target asks for a pause between two polls of an address (X-Poll-Interval): ${lists.join(', ')}. ${shorterIntervals}`,
  ]
}

/** The area of an endpoint of the endpoint tables, by its section. */
function areaOf({ section }: Endpoint): Area {
  if (section.endsWith('Event feeds')) return 'events'
  return section.endsWith('Notifications') ? 'notifications' : 'migrations'
}

/** The lists that every user has: no other object is in their paths. */
const ownLists = Object.values(endpoints)
  .filter(
    ({ path, paging }) => paging && pathParameters(path ?? '').every((name) => name === 'username'),
  )
  .map((endpoint) => ({ endpoint, label: endpointLabel(endpoint), area: areaOf(endpoint) }))

type Tokens = readonly PreflightToken[]

/** The areas without any list for their owner, and a question about each list that returns 404: the target may not offer it. */
export async function unoffered(
  session: Session,
  offered: readonly Endpoint[],
  callers: readonly Caller[],
  tokens: Tokens,
) {
  const { areas: wanted, claims } = session.options.config
  const as = callers.find(({ role, kind }) => role === 'owner' && kind === 'classic')
  const login = tokens.find(({ token }) => token === as?.label)?.login
  const isAsked = (label: string) =>
    as && (login || !label.includes('{')) && !claims.except.includes(label)
  const asked = ownLists.filter(
    ({ endpoint, label }) => offered.includes(endpoint) && isAsked(label),
  )
  const responses = await Promise.all(
    asked.map(({ endpoint }) => responseTo(session, as ?? anonymous, endpoint, login)),
  )
  const missing = asked.filter((_, index) => responses[index]?.status === 404)
  const listsOf = groupBy(asked, ({ area }) => area)
  const gone = [...listsOf.keys()].filter((area) =>
    listsOf.get(area)?.every((one) => missing.includes(one)),
  )
  const areas: Area[] = gone.length < wanted.length ? gone : []
  const except = missing.flatMap(({ area, label }) => (areas.includes(area) ? [] : [label]))
  const write = [
    ...(areas.length > 0
      ? [`areas: [${wanted.filter((area) => !areas.includes(area)).join(', ')}]`]
      : []),
    ...(except.length > 0
      ? [`claims: { except: ${JSON.stringify([...claims.except, ...except])} }`]
      : []),
  ].join(' and ')
  const question = `${missing.map(({ label }) => label).join(', ')} returned 404 to ${as?.label}. Not offered? Write ${write} (docs/guides/partial.md)`
  return { areas, notes: missing.length > 0 ? [question] : [] }
}
