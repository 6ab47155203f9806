import type { Chapter } from './reading.ts'

export const paging: Chapter = {
  letter: 'A',
  title: 'Paging',
  readings: [
    {
      id: 'A1',
      section: 'Limits',
      open: 'The document does not say whether a per_page above the maximum is reduced or refused.',
      judged:
        'For a per_page above the maximum, a 200 with at most the maximum number of items passes, and so does a refusal with 400, 422 or another 4xx.',
      caught: 'A 200 with more items than the maximum.',
      checks: ['*.*.per-page-max'],
    },
    {
      id: 'A2',
      section: 'What the service does, Common request conventions',
      open: 'The document does not say how a per_page of zero, a negative number or text is answered, nor a page of zero.',
      judged: 'Any answer to an invalid per_page or page passes, except that a 5xx warns.',
    },
    {
      id: 'A3',
      section: 'Limits',
      open: 'A page may be shorter than its default size, because items were filtered out or because the list ends.',
      judged:
        'On a list with more items than the default, a request without per_page must return the same ids as a request with the documented default, in bracketed reads. More items than the default fail at once. An exact number of items is never required.',
      caught: 'A default of 30 on GET /events or on the inbox, and a default of 10 anywhere.',
    },
    {
      id: 'A4',
      section: 'Endpoints, Notifications',
      open: 'The inbox has a maximum of 50 and the notifications of a repository have one of 100, which are easily confused.',
      judged: 'Where the repository list is long enough, a request with per_page=100 must return more than 50 threads.',
      caught: 'The maximum of the inbox on the list of a repository.',
      checks: ['notifications.repository.*'],
    },
    {
      id: 'A5',
      section: 'Limits',
      open: 'The row on per_page in the table of limits can be read as if it excluded the maximum of GET /events and included the endpoints of the permission matrix.',
      judged:
        'GET /events has a maximum of 100, by its own row. Paging is not judged on endpoints that only the permission matrix names.',
      caught: 'A maximum other than 100 on GET /events.',
      checks: ['events.public.*'],
    },
    {
      id: 'A6',
      section: 'What the service does, Common request conventions',
      open: 'The document does not say how a page past the end of a list is answered.',
      judged:
        'Past the end of a list, a 200 with an empty array passes, and so does a 4xx; a walk ends at either. A walk also ends at a page that repeats an earlier one, which fails the check.',
      caught: 'A server that ignores page.',
    },
    {
      id: 'A7',
      section: 'What the service does, Common request conventions',
      open: 'The document does not mention a Link header.',
      judged: 'A Link header is neither required nor forbidden.',
      uncited: 'It removes an assertion, so that there is no code for it.',
    },
    {
      id: 'A8',
      section: 'What the service does, Common request conventions',
      open: 'The first page may move between a request with page=1 and a request without page.',
      judged: 'The ids that a request with page=1 and one without page return are compared in bracketed reads.',
      caught: 'Pages that are counted from zero.',
    },
    {
      id: 'A9',
      section: 'Limits',
      open: 'A short page at the maximum page size may be the result of filtering.',
      judged:
        'Where the list is long enough, page 1 with per_page=100 must contain the same ids as pages 1 and 2 with per_page=50 together, in bracketed reads. On the inbox 50 is compared with twice 25.',
      caught: 'A page size that is silently reduced below the maximum.',
      checks: ['*.*.per-page-reachable'],
    },
  ],
}
