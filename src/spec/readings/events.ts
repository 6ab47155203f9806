import type { Chapter } from './reading.ts'

export const events: Chapter = {
  letter: 'C',
  title: 'Events',
  readings: [
    {
      id: 'C1',
      section: 'Endpoints, Event feeds',
      open: 'The document states no order for the feeds.',
      judged: 'The order of a feed is not judged.',
    },
    {
      id: 'C2',
      section: 'Resources and their fields, Event',
      open: 'Organisation-scoped feeds, whose events carry org, may be the organisation feed alone or the organisation dashboard too.',
      judged:
        'A missing org fails on the organisation feed and warns on the dashboard. On other feeds org is optional, and wherever it is present it has its full shape.',
      caught: 'A missing org, and an org that names another organisation.',
    },
    {
      id: 'C3',
      section: 'Resources and their fields, Event',
      open: 'The tables mark only org as optional and do not say that the other fields are required.',
      judged: 'All fields of an event but org are required, with their types.',
      caught: 'A missing field, such as display_login.',
    },
    {
      id: 'C4',
      section: 'Resources and their fields, Event',
      open: 'The field avatar_id may be empty.',
      judged: 'The field avatar_id is a string, and the empty string passes.',
      caught: 'A null, and a number.',
    },
    {
      id: 'C5',
      section: 'Resources and their fields, Payload shapes',
      open: 'The ref of a CreateEvent is a string, but servers in use send null for the creation of a repository.',
      judged:
        'A null ref together with the ref_type repository warns, as a deliberate exception to the letter. Any other value that is no string fails.',
      caught: 'A ref that is a number.',
    },
    {
      id: 'C6',
      section: 'Resources and their fields, Payload shapes',
      open: 'The document shows the members of three payloads and does not say that they are required.',
      judged: 'The members that the document lists for a payload are required, with their types. Further members are accepted.',
      caught: 'A missing member, such as push_id.',
    },
    {
      id: 'C7',
      section: 'Resources and their fields, Payload shapes',
      open: 'The payloads of other event types are not shown.',
      judged: 'The payload of an event of any other type is an object; nothing more is judged.',
      caught: 'A payload that is a string.',
    },
    {
      id: 'C8',
      section: 'Resources and their fields, Payload shapes',
      open: 'The values of action, ref_type and pusher_type are examples.',
      judged: 'Any string passes as action, ref_type or pusher_type.',
      caught: 'A value that is no string.',
    },
    {
      id: 'C9',
      section: 'Resources and their fields, Payload shapes',
      open: 'The document does not state the length of a commit hash.',
      judged: 'A hash has 40 or 64 hexadecimal digits. The hash of zeros is accepted.',
      caught: 'A hash with other characters.',
    },
    {
      id: 'C10',
      section: 'Resources and their fields, Event; Endpoints, Event feeds',
      open: 'Private events are visible only to the owning user, but members of an organisation could be expected to see its private events.',
      judged:
        'No private event may appear in a feed that is read without a token, in /events, in a feed that ends with /public, or in any feed that is read by an unrelated outsider. The feeds /users/{username}/events and /received_events show private events to that user alone: a fellow member, an owner of the organisation and a followed user see none either. Nothing is asserted where a member reads the feed of a repository, an organisation or a network. The feed of a private repository, and its network, are refused to outsiders and anonymous readers, and any event in the answer fails. A feed in which no private event is known to exist proves nothing and leaves the check untested.',
      caught: 'A private event that is shown to anybody but its owner.',
    },
    {
      id: 'C11',
      section: 'Endpoints, Event feeds; Limits',
      open: "A private event may be missing from the owner's view because of latency, of the feed window or of the token's permissions.",
      judged:
        "Only events that are older than six hours, by the target's Date header, prove anything about another feed. The need is a private event that is known. Its own flag is false, as is that of every event of a private repository. The owner's feed is compared with the public feed of the same user.",
      caught: 'A feed that hides private events from their owner, and private events that are marked as public.',
    },
    {
      id: 'C12',
      section: 'Authentication, rule 7',
      open: 'A feed that needs no permission may still need authentication; only the feed of a public repository is said to be usable without.',
      judged:
        'A 401 or 403 for an anonymous reader fails on the feed of a public repository and warns on the other feeds that need no permission. A token without permissions must be served on all of these.',
      caught:
        'A permission that is demanded without need, and the feed of a public repository that is closed to anonymous readers.',
    },
    {
      id: 'C13',
      section: 'Endpoints, Event feeds; Errors 404',
      open: 'Only the network feed lists 404 for a name that does not exist.',
      judged:
        'For a name that does not exist, the network feed fails with a 200 and warns with a 403. On the other feeds any 4xx passes, and so does a 200 with an empty array.',
      caught: 'Events in the feed of something that does not exist.',
    },
    {
      id: 'C14',
      section: 'Endpoints, Event feeds; Errors 301',
      open: 'The document shows neither the trigger nor the Location of the 301 of the network feed.',
      judged:
        'The network feed of a former name is answered 301 or is served directly; a 404 warns. The Location of a 301 should lead on: one of the same origin is followed, and one that names the same path on another host is accepted as leading on.',
      caught: 'A redirect that leads nowhere.',
    },
    {
      id: 'C15',
      section: 'Endpoints, Event feeds',
      open: 'Only the repository parameter of one row is said to be case-insensitive.',
      judged:
        'The same name in another letter case must be served. Where it is not, the repository parameter of the network feed fails, and every other name warns, that in the notifications of a repository included. A redirect is accepted, also to another host.',
      caught: 'A 404 for a change of letter case.',
    },
    {
      id: 'C16',
      section: 'Resources and their fields, Feed window',
      open: 'A walk over a feed that moves can show more than 300 events.',
      judged:
        'Events that are newer than the head of the first page are not counted. The check needs a feed with more than 300 recent events, such as that of the need busy-user.',
      caught: 'A feed without a limit.',
    },
    {
      id: 'C17',
      section: 'Resources and their fields, Feed window; Limits',
      open: 'The document does not say how often old events are removed, and a capped feed may contain no old event by accident.',
      judged:
        "Ages are measured against the server's Date header. An event between 30 and 31 days old warns, and an older one fails. A walk that reaches 300 events earns no pass; the window is judged on feeds below the cap whose older events are known to exist (need windowed-feed).",
      caught: 'A window of 60 days, and one of 31 days.',
    },
    {
      id: 'C18',
      section: 'Limits',
      open: 'A latency between 30 seconds and 6 hours can be a description or a promise.',
      judged:
        'The stated latency is a description. Faster delivery never fails; the upper bound is at most a warning that a run opts into.',
    },
    {
      id: 'C19',
      section: 'Events 5; Endpoints, Event feeds',
      open: 'The document does not say which operation emits which event.',
      judged:
        'No event is ever required as the result of an action. Events that are known, that are older than six hours and that are inside the window and the cap must appear for a watched repository and for a followed user: their absence fails in received_events and warns in received_events/public. Every known event is looked for. One that has a second cause, such as an event of a followed user in a watched repository, proves neither.',
      caught: 'A received feed without the events of watched repositories or of followed users.',
    },
    {
      id: 'C20',
      section: 'What the service does; Endpoints, Event feeds',
      open: 'The document says what a feed is about, but not that it leaves nothing out; the network of a repository includes its forks.',
      judged:
        'The name of the repository in an event of a network is not judged. Where a known event, older than six hours, that another feed shows of the same organisation, repository or user is missing, the check warns.',
    },
    {
      id: 'C21',
      section: 'What the service does; Endpoints, Event feeds',
      open: "That the events of a user's feed are that user's own doings is implied and not stated.",
      judged: 'An event of another actor in the feed of a user warns.',
    },
    {
      id: 'C22',
      section: 'What the service does; Endpoints, Event feeds',
      open: 'After a repository was renamed, its events may keep the former name.',
      judged: "The former name of a repository in an event passes where the repository's id is the same.",
      caught: "Events of other repositories in a repository's feed.",
    },
    {
      id: 'C23',
      section: 'Endpoints, Event feeds; Errors 403, 503',
      open: 'The row of GET /events lists 403 and 503 without a trigger.',
      judged: 'A 403 or a 503 from GET /events, after the usual repetitions, leaves the check untested.',
      checks: ['events.public.*'],
    },
  ],
}
