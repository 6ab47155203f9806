import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, type JsonObject, type Located, member } from '../../src/suite/located.ts'
import type { NeedMap } from '../../src/suite/needs.ts'
import { show } from '../../src/text/format.ts'
import { type Feed, recordedEvents } from './feed.ts'

/** The event types whose payloads the document describes. */
const documentedTypes = ['PushEvent', 'WatchEvent', 'CreateEvent']

/** The shape of every event of the feed that the run has read (document: Resources and their fields, Event; readings C). */
export function eventShapeChecks<Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const recorded = feed.with({ schedule: 'afterwards' })
  const parts = (aspect: string, requirement: string, title: string, what: string, schema: string, partsOf: PartsOf) =>
    recorded.check(aspect, title, requirement, async (t, needs) => {
      t.expectAll((await recordedEvents(t, feed, needs)).flatMap(partsOf), what).match(schema)
    })
  const payload = (type: string, kind: 'push' | 'watch' | 'create') => {
    const [aspect, requirement, title] = [`${kind}-payload`, `events.payload.${kind}`, `with the documented payload`]
    return parts(aspect, requirement, `returns every ${type} ${title}`, type, aspect, payloadOf(type))
  }
  const dated = 'returns created_at in the form YYYY-MM-DDTHH:MM:SSZ'
  const other = 'returns an object as the payload of any other event type'

  return [
    recorded.check(
      'event-shape',
      'returns every event with the documented fields and types',
      'events.event.fields',
      async (t, needs) => {
        const events = await recordedEvents(t, feed, needs)
        t.expectAll(events, 'event').match('event')
        t.expectAll(events, 'event').satisfy('a documented type in its own letter case', isOwnCase, (event) => String(event.type))
        expectOneDateEach(t, events)
      },
    ),
    parts('created-at', 'conventions.timestamps', dated, 'date', 'timestamp', dateOf),
    payload('PushEvent', 'push'),
    payload('WatchEvent', 'watch'),
    payload('CreateEvent', 'create'),
    parts('other-payload', 'events.payload.object', other, 'other type', 'payload', otherPayload),
    recorded.check(
      'create-ref',
      'returns a string as the ref of every CreateEvent',
      { requirement: 'events.payload.create-ref', level: 'should' },
      async (t, needs) => {
        const payloads = (await recordedEvents(t, feed, needs)).flatMap(payloadOf('CreateEvent'))
        t.expectAll(payloads, 'CreateEvent').satisfy('a ref that is not null', (value) => !isObject(value) || value.ref !== null)
      },
    ),
  ]
}

/** False for a documented type in other letter case, which is no type of its own. */
function isOwnCase({ type }: JsonObject): boolean {
  return !documentedTypes.some((name) => name !== type && name.toLowerCase() === String(type).toLowerCase())
}

/** An event of one feed has the same creation date in every reading. */
function expectOneDateEach(t: CheckContext, events: readonly Located<JsonObject>[]): void {
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

/** Only the form of a date that is a string: another check judges its type. */
const dateOf: PartsOf = (event) => present(member(event, 'created_at')).filter(({ value }) => typeof value === 'string')

const payloadOf =
  (type: string): PartsOf =>
  (event) =>
    event.value.type === type ? present(member(event, 'payload')) : []

const otherPayload: PartsOf = (event) =>
  documentedTypes.includes(String(event.value.type)) ? [] : present(member(event, 'payload'))

function present(part: Located | undefined): Located[] {
  return part ? [part] : []
}
