import type { Chapter } from './reading.ts'

export const general: Chapter = {
  letter: 'G',
  title: 'General rules',
  readings: [
    {
      id: 'G1',
      section: 'The whole document',
      open: 'The document says of many things that they are not shown.',
      judged:
        'A statement that something is not shown removes an assertion; it is never a reason to fail a check. What the target does there may be reported as an observation.',
    },
    {
      id: 'G2',
      section: 'Endpoints; Errors',
      open: "The document does not say whether the statuses in an endpoint's row are complete.",
      judged:
        'A success status must be exactly one that the row lists. Refusal statuses are judged as one class (G3), whether or not the row lists them.',
      caught: 'A success that is answered with another success status than the listed one.',
    },
    {
      id: 'G3',
      section: 'Errors',
      open: 'The document does not tell 401, 403 and 404 apart wherever a request is refused.',
      judged:
        'The statuses 401, 403 and 404 form the refusal class. A refusal check fails only on a 2xx, on a redirect that leads to data, on leaked data or on a changed state. A persistent 500, 501 or 505 on a request that the document defines fails the check that met it.',
      caught: 'Data behind a refusal status, an effect in spite of a refusal, and a server that breaks on a documented request.',
    },
    {
      id: 'G4',
      section: 'Authentication',
      open: 'A token can be refused for reasons that have nothing to do with the claim, such as being expired or misspelt.',
      judged:
        'Every verdict about a refusal or a grant has a control: the same request is served to an entitled token, and the tested token works elsewhere. Without the control the check is untested.',
      caught: 'A refusal or a grant that depends on nothing but the tested token.',
    },
    {
      id: 'G5',
      section: 'Limits',
      open: 'A target may have too little data to show whether a claim is true.',
      judged:
        'A check of a list without enough items is untested. A pass is earned: a check that examined no subject has not passed.',
    },
    {
      id: 'G6',
      section: 'What the service does, Polling rules',
      open: 'Lists move while they are read, because other people use the target as well.',
      judged:
        'A comparison is bracketed: the list is read, then the probe is sent, then the list is read again. The comparison counts only when both reads of the list agree; otherwise it is repeated, and in the end the check is untested.',
    },
    {
      id: 'G7',
      section: 'Versioning, rule 4',
      open: 'Additive changes may appear in every version, at any time.',
      judged:
        'Unknown fields, headers, event types, subject types, reasons and states are accepted in every version. Only the fields that a change names as removed are looked for, only under 2026-03-10, only as keys of an object, and only inside the kind of object that the change names.',
      caught: 'A field that is still sent after its removal.',
    },
    {
      id: 'G8',
      section: 'The whole document',
      open: 'The document fixes no human-readable text.',
      judged: 'Checks compare keys, types and relations between values. They never compare text that is written for people.',
      uncited: 'It says how every check is written and belongs to no single one.',
    },
    {
      id: 'G9',
      section: 'Errors; Limits',
      open: 'A network failure, a time-out, 429, 502, 503 or 504 may have any cause.',
      judged:
        "The suite backs off as Retry-After asks, repeats the request, and in the end reports the outcome errored; a network failure, a time-out, 429, 502, 503 and 504 are no deviation. A 403 or a 429 that follows the suite's own quick repetition of a poll leaves the check untested.",
    },
    {
      id: 'G10',
      section: 'What the service does, Common request conventions',
      open: 'The clock of the target and the clock of the suite may differ by minutes.',
      judged:
        'Every instant that is sent or compared comes from the target: from its Date header, from updated_at or from created_at.',
    },
    {
      id: 'G11',
      section: 'What the service does, Common request conventions; Endpoints',
      open: 'The document lists parameters and headers as optional, some of them with a default.',
      judged:
        'Omitting a parameter is equal to sending its documented default; this is judged for all, participating, page and per_page. A request without an Accept header is served.',
      caught: 'A default that differs from the documented one, and a server that insists on an optional header.',
    },
    {
      id: 'G12',
      section: 'Resources and their fields',
      open: 'Objects carry no name of their kind, and they appear inside payloads that the document does not describe.',
      judged:
        'Objects are recognised by their shape. A repository has a string full_name and an object owner; a pull request has the objects head and base; an issue has an integer number and a string title, and no head.',
      caught: 'A removed field in an embedded object.',
    },
    {
      id: 'G13',
      section: 'Authentication',
      open: 'A check that fails once and passes when it is repeated is usually flaky.',
      judged:
        'An observation that timing cannot explain is red even when it was seen only once: a leak, the effect of a refused write, or data that was served to a token which nobody issued. The rule for flaky checks does not soften it.',
      caught: 'A leak that occurs now and then.',
    },
    {
      id: 'G14',
      section: 'Limits',
      open: "A walk over pages, or a body, can reach the suite's own limit before its end.",
      judged:
        'A walk or body that was cut proves nothing about the part that it did not reach, so that a claim about the whole list is untested then. Where a request can bound the list by since and before, it is bounded; an inbox of thousands of threads is not walked.',
    },
    {
      id: 'G15',
      section: 'Errors',
      open: 'A target that answers 404 or 403 to everything seems to refuse correctly.',
      judged:
        'A verdict that something is absent or refused needs a control in the same run which shows that it is otherwise present or served. Without the control the check is untested.',
      caught: 'A target that would pass refusal checks because it serves nothing at all.',
    },
  ],
}
