import type { Chapter } from './reading.ts'

export const conventions: Chapter = {
  letter: 'H',
  title: 'Conventions and errors',
  readings: [
    {
      id: 'H1',
      section: 'Errors',
      open: 'The document does not show the shape of an error body.',
      judged: 'An error body is never parsed for a verdict.',
    },
    {
      id: 'H2',
      section: 'Errors',
      open: 'Servers often hide what exists, so that 401, 403 and 404 are used for one another.',
      judged: 'The refusal class of G3 applies to every caller, except to an anonymous request on a row that lists 401.',
      caught: 'A 200 for an anonymous caller.',
    },
    {
      id: 'H3',
      section: 'Authentication; Errors',
      open: 'The document does not say whether a request is authenticated before it is validated.',
      judged: 'Checks of anonymous callers send valid bodies and well-formed ids.',
    },
    {
      id: 'H4',
      section: 'What the service does',
      open: 'The document does not show the Content-Type of responses.',
      judged:
        'The Content-Type is judged only on a 2xx with a documented JSON body, where any JSON media type passes, with parameters or without. The endpoint of change 4 has a rule of its own.',
      caught: 'JSON that is labelled as HTML.',
    },
    {
      id: 'H5',
      section: 'What the service does, Common request conventions',
      open: 'Servers in use send fractions of a second or numeric offsets.',
      judged: 'Outside migrations the form YYYY-MM-DDTHH:MM:SSZ is required exactly.',
      caught: 'A timestamp with a fraction of a second or with an offset.',
    },
    {
      id: 'H6',
      section: 'Errors; Limits',
      open: 'A 422 for a spammed endpoint, a 403 or 429 for a spent quota, and a 503 are about the load of the server.',
      judged:
        'In every area alike, a 429, and a 403 that carries Retry-After or a quota header at zero, mean that the caller is throttled: the suite waits, repeats the request, and in the end reports errored. They are never a refusal and never evidence. A quota that is zero on whatever the target serves, and never anything else, says nothing.',
    },
    {
      id: 'H7',
      section: 'Errors 301',
      open: 'The document does not show redirects on endpoints other than the network feed and the archive.',
      judged:
        'Every GET follows a redirect with 301, 302, 303, 307 or 308 within the same origin, at most five times. One check for each endpoint warns about it. Refusals are judged on the last answer.',
      caught: 'A redirect that leads to data which must be refused.',
    },
    {
      id: 'H8',
      section: 'Introduction',
      open: 'The document does not say how a path is joined to a base URL that has a path of its own.',
      judged: 'The base URL and the path are joined as text, without resolving the path as a relative URL.',
    },
    {
      id: 'H9',
      section: 'Endpoints, Notifications',
      open: 'The document does not show how a boolean query parameter is spelt.',
      judged: 'Boolean query parameters are sent as true and false in lower case, and nothing else.',
    },
    {
      id: 'H10',
      section: 'Endpoints',
      open: 'The document does not show how a method is answered that has no row.',
      judged: 'No check demands a 404 or 405 for a method that has no row.',
    },
  ],
}
