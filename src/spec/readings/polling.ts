import type { Chapter } from './reading.ts'

export const polling: Chapter = {
  letter: 'B',
  title: 'Polling and conditional requests',
  readings: [
    {
      id: 'B1',
      section: 'What the service does, Polling rules; Endpoints, Event feeds',
      open: 'The polling rule names event feeds without exception, but seven of the nine rows do not list 304.',
      judged:
        'The polling rule governs: every feed must support ETag and 304. The seven feeds whose rows do not list 304 are judged under ids of their own, so that a target may file a waiver for them.',
      caught: 'A feed without support for ETag.',
    },
    {
      id: 'B2',
      section: 'What the service does, Polling rules',
      open: 'A new event rightly invalidates the ETag of a busy feed.',
      judged:
        'A poll fails when several tries are each answered 200 with exactly the event ids of the response that the ETag came from. It fails at once when the 200 carries no JSON array: only a readable list shows that the feed has moved. A 200 with another validator says that something changed, maybe on another page: it counts only between two equal walks of all that the validator may be of.',
      caught: 'An ETag that is made from the time of day, and a 200 with an empty body in place of a 304.',
    },
    {
      id: 'B3',
      section: 'What the service does, Polling rules',
      open: 'The document does not mention weak ETags.',
      judged: 'An ETag may begin with W/.',
      caught: 'An ETag without quotes.',
    },
    {
      id: 'B4',
      section: 'What the service does, Polling rules',
      open: 'The quotes around an ETag are significant, but the document does not say whether an unquoted value may match.',
      judged:
        'The ETag must be quoted and must match when it is sent back verbatim; otherwise the check fails. An unquoted value that is answered 304 warns.',
      caught: 'An unquoted ETag, and one that does not match verbatim.',
    },
    {
      id: 'B5',
      section: 'What the service does, Polling rules',
      open: 'The two kinds of response that carry X-Poll-Interval may be feeds and notification lists, or 200 and 304.',
      judged: 'X-Poll-Interval is required on the 200 of every feed and of both notification lists. Its absence on a 304 warns.',
      caught: 'A missing header, and a value that is no integer.',
    },
    {
      id: 'B6',
      section: 'What the service does, Polling rules',
      open: 'The document states no value for X-Poll-Interval.',
      judged: 'The value of X-Poll-Interval consists of decimal digits and may vary.',
      caught: 'A value with a unit, such as 60s, and a decimal fraction.',
    },
    {
      id: 'B7',
      section: 'What the service does, Polling rules',
      open: 'An empty inbox has nothing that Last-Modified could date.',
      judged: 'Last-Modified is required only when the list has items.',
      caught: 'A notification list with items and without Last-Modified.',
    },
    {
      id: 'B8',
      section: 'What the service does, Polling rules',
      open: 'The document does not say whether If-Modified-Since is compared for equality or by age.',
      judged:
        'Only two values of If-Modified-Since are sent: the received one verbatim, which is answered 304, and a clearly older one, which is answered 200. A later value is never sent.',
      caught: 'A server that ignores the value.',
    },
    {
      id: 'B9',
      section: 'What the service does, Polling rules',
      open: 'Dates in headers have a resolution of one second, so that two changes within a second look like one.',
      judged: 'Changes that the suite causes are at least two seconds apart.',
    },
    {
      id: 'B10',
      section: 'What the service does, Polling rules; Limits',
      open: 'The document shows no header or endpoint that states the remaining quota, and a probe of it may count as a request itself.',
      judged:
        'The quota is judged only where the configuration declares a probe, and with a token that nothing else uses. The cost of two probes alone is compared with the cost of two probes around a 304. Without a probe the check is untested.',
      caught: 'A 304 that counts against the quota.',
    },
    {
      id: 'B11',
      section: 'What the service does, Polling rules',
      open: 'The document does not show how a target answers a caller that polls too fast.',
      judged:
        'Only conditional requests count as polls, and there are at most two for each token, address and version. The first carries the validator of something else and must be answered 200; the second carries the received validator and must be answered 304. Status, body, interval and quota are all judged on that one 304. A further poll, after a change, waits for the stated interval.',
      caught: 'A 304 for a foreign validator, and a 200 for the current one.',
    },
    {
      id: 'B12',
      section: 'Endpoints; Errors',
      open: 'Rows of other endpoints list 304 without a trigger.',
      judged:
        'A 304 is required of feeds and notification lists only. A row that lists 304 may answer it when there was nothing to change. The check fails only when the effect of the request is missing, or when an unconditional GET is answered 304.',
      caught: 'A 304 for an unconditional GET, and a 304 in place of the effect.',
    },
    {
      id: 'B13',
      section: 'What the service does, Polling rules',
      open: 'The document does not say whether an ETag is valid for another query, token or version.',
      judged: 'A validator is sent back only with a request that is otherwise identical.',
    },
    {
      id: 'B14',
      section: 'What the service does, Polling rules',
      open: 'The polling rules name no caller.',
      judged: 'ETag, X-Poll-Interval and 304 are judged for an anonymous reader as well, wherever one is served.',
      caught: 'Validators that only signed-in readers receive.',
    },
  ],
}
