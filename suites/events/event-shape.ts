import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, type JsonObject, type Located, member } from '../../src/suite/located.ts'
import type { NeedMap } from '../../src/suite/needs.ts'
import { show } from '../../src/text/format.ts'
import { type Feed, seenEvents } from './feed.ts'

/** The event types whose payloads the document shows. */
const shown = ['PushEvent', 'WatchEvent', 'CreateEvent']

/** What each event must be, over every event that the run has seen on the feed (document: Resources and their fields, Event; readings C). */
export function eventShapeChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const claim = (aspect: string, requirement: string, title: string, what: string, schema: string, parts: PartsOf) =>
    check({
      id: `${feed.id}.${aspect}`,
      requirement,
      level: 'must',
      title,
      needs: feed.needs,
      schedule: 'afterwards',
      run: async (t, needs) => {
        t.expectAll((await seenEvents(t, feed, needs)).flatMap(parts), what).match(schema)
      },
    })
  const payload = (type: string, kind: 'push' | 'watch' | 'create') =>
    claim(
      `${kind}-payload`,
      `events.payload.${kind}`,
      `returns every ${type} with the documented payload`,
      type,
      `${kind}-payload`,
      payloadOf(type),
    )

  return [
    check({
      id: `${feed.id}.event-shape`,
      requirement: 'events.event.fields',
      level: 'must',
      title: 'returns every event with the documented fields and types',
      needs: feed.needs,
      schedule: 'afterwards',
      run: async (t, needs) => {
        const events = await seenEvents(t, feed, needs)
        t.expectAll(events, 'event').match('event')
        t.expectAll(events, 'event').satisfy('a documented type in its own letter case', isOwnCase, (event) => String(event.type))
        oneDateEach(t, events)
      },
    }),
    claim(
      'created-at',
      'conventions.timestamps',
      'returns created_at in the form YYYY-MM-DDTHH:MM:SSZ',
      'date',
      'timestamp',
      dateOf,
    ),
    payload('PushEvent', 'push'),
    payload('WatchEvent', 'watch'),
    payload('CreateEvent', 'create'),
    claim(
      'other-payload',
      'events.payload.object',
      'returns an object as the payload of any other event type',
      'other type',
      'payload',
      otherPayload,
    ),
    check({
      id: `${feed.id}.create-ref`,
      requirement: 'events.payload.create-ref',
      level: 'should',
      title: 'returns a string as the ref of every CreateEvent',
      needs: feed.needs,
      schedule: 'afterwards',
      run: async (t, needs) => {
        const payloads = (await seenEvents(t, feed, needs)).flatMap(payloadOf('CreateEvent'))
        t.expectAll(payloads, 'CreateEvent').satisfy('a ref that is not null', (value) => !isObject(value) || value.ref !== null)
      },
    }),
  ]
}

/** A documented type in other letters is no type of its own. */
function isOwnCase({ type }: JsonObject): boolean {
  return !shown.some((name) => name !== type && name.toLowerCase() === String(type).toLowerCase())
}

/** An event of one feed was created once, whenever it is read. */
function oneDateEach(t: CheckContext, events: readonly Located<JsonObject>[]): void {
  const dates = new Map<string, unknown>()
  for (const { value, exchange, pointer } of events) {
    const [id, date] = [`${JSON.stringify(value.id)} ${exchange.request.url.split('?')[0]}`, value.created_at]
    const first = dates.get(id) ?? date
    dates.set(id, first)
    if (first === date) continue
    const finding = { expected: `created_at ${show(first)} as before`, actual: show(date) }
    t.deviation({ ...finding, pointer: `${pointer}/created_at`, exchanges: [exchange] })
  }
}

type PartsOf = (event: Located<JsonObject>) => Located[]

/** The form of a date is judged where there is one; that it is a string is the shape's business. */
const dateOf: PartsOf = (event) => present(member(event, 'created_at')).filter(({ value }) => typeof value === 'string')

const payloadOf =
  (type: string): PartsOf =>
  (event) =>
    event.value.type === type ? present(member(event, 'payload')) : []

const otherPayload: PartsOf = (event) => (shown.includes(String(event.value.type)) ? [] : present(member(event, 'payload')))

function present(part: Located | undefined): Located[] {
  return part ? [part] : []
}
