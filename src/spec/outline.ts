/** A place of the document that can be cited: a section, or a part of one. */
export interface Place {
  /** The heading, or the first words where a part has none. */
  readonly name: string
  /** What it states, in one sentence. */
  readonly about: string
  /** How many numbered rules or rows it has; absent where it has none. */
  readonly numbered?: number
  /** The files that state it in this project, from the project's folder. */
  readonly home?: readonly string[]
}

/** A section of the document with its parts, in the document's order. */
export interface Section extends Place {
  readonly parts?: readonly Place[]
}

/** The title of the judged document. */
export const documentTitle =
  'Activity Feeds, Notification Threads, User Migrations, Token Permissions and Versioning of a Hosting Service REST API'

const law = (file: string) => `src/spec/${file}`
const schema = (name: string) => `schemas/${name}.schema.json`
const stated = (name: string) => law(`requirements/${name}.yaml`)

/** The judged document's sections, as citations name them; `docs/document.md` is made from this. */
export const outline: readonly Section[] = [
  {
    name: 'Introduction',
    about: 'The five subjects of the document, and the neutral words that it uses for product names.',
    home: [stated('1-conventions')],
  },
  {
    name: 'What the service does',
    about: 'The five things that the covered part of the API provides.',
    numbered: 5,
    parts: [
      {
        name: 'Common request conventions',
        about: 'The headers, the paging parameters and the form of timestamps that all endpoints share.',
        home: [stated('1-conventions'), schema('timestamp')],
      },
      {
        name: 'Polling rules',
        about: 'How feeds and notification lists are polled, and how a target states the interval.',
        numbered: 3,
        home: [stated('1-conventions')],
      },
    ],
  },
  {
    name: 'Resources and their fields',
    about: 'The objects that the endpoints return, field by field.',
    parts: [
      {
        name: 'Event',
        about: 'The fields of an event, and of its repository and its organisation.',
        home: [schema('event'), schema('event-repository'), schema('event-organization')],
      },
      { name: 'Actor', about: 'The fields of the user who caused an event.', home: [schema('event-actor')] },
      {
        name: 'Payload shapes',
        about: 'The payloads of the three event types that are described.',
        home: [schema('payload'), schema('watch-payload'), schema('push-payload'), schema('create-payload')],
      },
      {
        name: 'Feed window',
        about: 'How many events a feed contains, how old they may be and how late they appear.',
        home: [stated('2-events')],
      },
      { name: 'Notification thread', about: 'The nine fields of a thread.', home: [schema('thread'), schema('thread-subject')] },
      { name: 'Minimal repository', about: 'The fields of a repository inside a thread.', home: [schema('minimal-repository')] },
      { name: 'User object', about: 'The fields of a user inside a repository or a migration.', home: [schema('user')] },
      {
        name: 'Reason values',
        about: 'The fifteen reasons of a notification, their meaning, and when a reason changes.',
        home: [stated('3-notifications')],
      },
      { name: 'Thread subscription', about: 'The six fields of a subscription.', home: [schema('thread-subscription')] },
      {
        name: 'User migration',
        about: 'The fields of a migration.',
        home: [schema('migration'), schema('migration-repository')],
      },
      { name: 'Migration archive', about: 'What an archive contains and how long it is kept.', home: [stated('4-migrations')] },
    ],
  },
  {
    name: 'States and transitions',
    about: 'The four states of a migration, and what each request changes in them.',
    home: [stated('4-migrations')],
    parts: [
      {
        name: 'Notification thread moves',
        about: 'What each request changes in a thread, and when a thread is muted.',
        home: [stated('3-notifications')],
      },
    ],
  },
  {
    name: 'Endpoints',
    about: 'The 26 endpoints with a row of their own: path, parameters, success statuses and other statuses.',
    home: [law('endpoints.ts'), law('endpoint.ts')],
    parts: [
      {
        name: 'Event feeds',
        about: 'The nine feeds and what each of them contains.',
        home: [law('endpoints.ts'), stated('2-events')],
      },
      { name: 'Notifications', about: 'The ten endpoints of the inbox.', home: [law('endpoints.ts'), stated('3-notifications')] },
      {
        name: 'User migrations',
        about: 'The seven endpoints of migrations.',
        home: [law('endpoints.ts'), stated('4-migrations')],
      },
      {
        name: 'Body of POST /user/migrations',
        about: 'The members of the request body that starts a migration.',
        home: [schema('migration-request')],
      },
      { name: 'Message body', about: 'The body of a 202.', home: [schema('message')] },
    ],
  },
  {
    name: 'Authentication',
    about: 'The kinds of token, which endpoints accept them, and which feeds need which permission.',
    numbered: 7,
    home: [law('permission-category.ts'), stated('5-permissions')],
    parts: [
      {
        name: 'Permission matrix (app tokens)',
        about: 'What each permission category grants to app tokens, by endpoint, level and kind of token.',
        home: [law('permissions.ts'), law('permission-category.ts')],
      },
      {
        name: 'Permission matrix (fine-grained personal access tokens)',
        about: 'In what the matrix of fine-grained tokens differs from that of app tokens.',
        home: [law('permissions.ts'), law('permission-category.ts')],
      },
    ],
  },
  { name: 'Events', about: 'What is exposed as an event, and what is not described.', numbered: 5, home: [stated('2-events')] },
  {
    name: 'Errors',
    about: 'The statuses other than 200, what they mean and where they are listed.',
    home: [law('endpoints.ts'), stated('1-conventions')],
    parts: [
      { name: 'Success codes that are not 200', about: 'The five success statuses besides 200.', home: [law('endpoints.ts')] },
    ],
  },
  {
    name: 'Limits',
    about: 'The sizes, ages and durations that bind a target.',
    home: [stated('1-conventions'), law('endpoints.ts'), law('versions.ts')],
  },
  {
    name: 'Versioning',
    about: 'How versions are named, selected and supported, and which changes need a new one.',
    numbered: 6,
    home: [law('versions.ts'), stated('6-versioning')],
    parts: [
      {
        name: 'Changes in version 2026-03-10',
        about: 'The 21 changes and the endpoints that they affect.',
        numbered: 21,
        home: [law('changes.ts'), law('change-endpoints.ts')],
      },
    ],
  },
]
