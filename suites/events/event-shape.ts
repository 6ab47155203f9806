import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, type JsonObject, type Located, member } from '../../src/suite/located.ts'
import type { NeedMap } from '../../src/suite/needs.ts'
import { show } from '../../src/text/format.ts'
import { addressOf, type Feed, identityOf, recordedEvents } from './feed.ts'

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
        t.expectAll(events, 'event').satisfy('a documented type in its own spelling', isOwnSpelling, (event) =>
          String(event.type),
        )
        expectOneIdentityEach(t, events)
      },
    ),
    parts('created-at', 'conventions.timestamps', dated, 'date', 'timestamp', dateOf),
    payload('PushEvent', 'push'),
    payload('WatchEvent', 'watch'),
    payload('CreateEvent', 'create'),
    parts('other-payload', 'events.payload.object', other, 'other type', 'payload', otherPayload),
    recorded.check(
      'create-ref',
      'returns the ref of every CreateEvent and the repository of every PushEvent',
      { requirement: 'events.payload.create-ref', level: 'should' },
      async (t, needs) => {
        const named = (await recordedEvents(t, feed, needs)).filter(
          ({ value: { type } }) => type === 'PushEvent' || type === 'CreateEvent',
        )
        t.expectAll(named, 'CreateEvent or PushEvent').satisfy('its own ref or id', agrees, ({ payload }) => show(payload))
      },
    ),
  ]
}

/** True where a PushEvent names its own repository, and where the full name of a created ref ends with the ref, which is not null. */
function agrees({ type, repo, payload }: JsonObject): boolean {
  if (!isObject(payload) || !isObject(repo)) return true
  const { ref, full_ref, repository_id } = payload
  if (type === 'PushEvent') return typeof repository_id !== typeof repo.id || repository_id === repo.id
  return ref !== null && (typeof ref !== 'string' || typeof full_ref !== 'string' || full_ref.endsWith(ref))
}

/** False for a documented type in another spelling, such as `push` or `push_event`, which is no type of its own. */
function isOwnSpelling({ type }: JsonObject): boolean {
  const bare = (name: unknown) => `${name}`.toLowerCase().replaceAll(/[^a-z]|event/g, '')
  return !documentedTypes.some((name) => name !== type && bare(name) === bare(type))
}

/** An event of one feed has the same date, actor and repository in every reading. */
function expectOneIdentityEach(t: CheckContext, events: readonly Located<JsonObject>[]): void {
  const known = new Map<string, string>()
  for (const { value, exchange, pointer } of events) {
    const id = `${JSON.stringify(value.id)} ${addressOf(exchange)}`
    const identity = `${identityOf(value)} at ${show(value.created_at)}`
    const first = known.get(id) ?? identity
    known.set(id, first)
    if (first !== identity) t.deviation({ expected: `${first} as before`, actual: identity, pointer, exchanges: [exchange] })
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
