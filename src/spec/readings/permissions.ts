import type { Chapter } from './reading.ts'

const matrix = 'Authentication, Permission matrix (app tokens)'
const fineGrained = 'Authentication, Permission matrix (fine-grained personal access tokens)'

export const permissions: Chapter = {
  letter: 'F',
  title: 'Permissions',
  readings: [
    {
      id: 'F1',
      section: matrix,
      open: 'A server may validate a write before or after it authorises the caller.',
      judged:
        "The granted token sends the same valid request on a disposable object that the owner's control sends: 401, 403 and 404 fail where the control is served. Without the need permission-target an id that does not exist is used, and the granted token counts as refused only when it receives 401 or 403 while the owner does not.",
      caught: 'A granted token that is refused.',
      checks: [
        'permissions.put-*.*-granted',
        'permissions.post-*.*-granted',
        'permissions.patch-*.*-granted',
        'permissions.delete-*.*-granted',
      ],
    },
    {
      id: 'F2',
      section: matrix,
      open: 'A 404 or 422 for a token without the permission may be an answer from before the authorisation.',
      judged:
        'A valid request is sent on a disposable object (need permission-target) and the owner reads the object back: a 2xx or a visible change fails. Without that need an id that does not exist is used: a 2xx fails, a 401 or 403 where the owner receives anything else passes, and equal answers leave the check untested.',
      caught: 'A write that a token with the level read can make.',
      checks: [
        'permissions.put-*.*-denied',
        'permissions.put-*.*-read-only',
        'permissions.post-*.*-denied',
        'permissions.post-*.*-read-only',
        'permissions.patch-*.*-denied',
        'permissions.patch-*.*-read-only',
        'permissions.delete-*.*-denied',
        'permissions.delete-*.*-read-only',
      ],
    },
    {
      id: 'F3',
      section: 'Authentication, rule 4',
      open: 'Some endpoints serve public data without permissions, and the document does not list them.',
      judged:
        'Denials are judged on private data, and a 2xx on public data never fails. Only /users/{username}/keys, /users/{username}/subscriptions and rows on a public repository can be public. Paths below /user and /orgs, and the writes on gists, are always judged.',
      caught: 'A private list that is served to a token without the permission, empty or not.',
      checks: [
        'permissions.*.*-denied',
        'permissions.*.*-read-only',
        'permissions.*.*-refused',
        'permissions.*.anonymous',
        'permissions.*.invalid-token',
      ],
    },
    {
      id: 'F4',
      section: matrix,
      open: 'On GET .../blocks/{username} and GET /user/following/{username}, a 404 is the ordinary answer for somebody who is not blocked or followed.',
      judged: 'The checks use somebody who is blocked or followed. A 404 for anybody else is no refusal.',
      checks: ['permissions.*-blocks-username.*', 'permissions.*-following-username.*'],
    },
    {
      id: 'F5',
      section: 'Errors 403',
      open: 'A 403 may be due to a plan, a disabled feature, single sign-on or a quota.',
      judged: 'A refusal counts only where the same request by the owner is served; otherwise the check is untested.',
    },
    {
      id: 'F6',
      section: matrix,
      open: 'The document does not say whether write includes read.',
      judged:
        'Rows that read are judged with the level read. A token that has write and is refused on a reading row of the same category warns.',
      caught: 'A level write that does not include read.',
      checks: ['permissions.get-*.*-granted', 'permissions.*.*-write-reads'],
    },
    {
      id: 'F7',
      section: 'Authentication, rule 3',
      open: 'The document does not show the syntax of X-Accepted-Service-Permissions.',
      judged:
        'Only the presence of a non-empty X-Accepted-Service-Permissions is judged; its content is reported as an observation.',
      caught: 'A missing header.',
    },
    {
      id: 'F8',
      section: 'Authentication, rule 3',
      open: 'The document does not say on which responses the header appears.',
      judged:
        'The check fails only when X-Accepted-Service-Permissions is on neither the served nor the refused answer to app tokens and fine-grained tokens, on an endpoint with a requirement; rows on public data and the dashboard are included. Its absence on one of the two warns.',
      caught: 'A header that is never sent.',
    },
    {
      id: 'F9',
      section: matrix,
      open: 'The mark for additional permissions means several permissions or alternative ones, and the document does not say which.',
      judged: 'The endpoint of repository invitations receives neither a verdict on grants nor one on denials.',
    },
    {
      id: 'F10',
      section: matrix,
      open: 'A row for user tokens alone may still be open to installation tokens where it serves public data.',
      judged: 'A refusal of installation tokens is demanded only for private data and for data of a user.',
      caught: 'An installation token that reads /user/emails.',
    },
    {
      id: 'F11',
      section: fineGrained,
      open: 'A category that the fine-grained matrix lacks is not said to be refused.',
      judged:
        'A 2xx for a fine-grained token warns where its matrix lacks the category. The categories Enterprise teams and Checks have no endpoint to judge.',
    },
    {
      id: 'F12',
      section: matrix,
      open: 'A category without a listed endpoint may still grant something.',
      judged:
        'Nothing is asserted about a category without a listed endpoint, and a token that is used for a denial has no such category.',
    },
    {
      id: 'F13',
      section: 'Authentication, rule 7; Permission matrix (app tokens)',
      open: 'Metadata is listed as a category without an endpoint, but the table of feeds asks for it on the events of a repository.',
      judged: 'For the events of a repository the table of feeds governs, which asks for Metadata.',
    },
    {
      id: 'F14',
      section: 'Authentication, rule 7',
      open: 'The user permission Events is in no row of the matrix, and the table of feeds calls it optional.',
      judged:
        'With or without the user permission Events, the feed of a user is answered 200. Private events are expected to appear with the permission, and their absence warns.',
    },
    {
      id: 'F15',
      section: 'Endpoints',
      open: 'The document shows neither success statuses nor payloads for endpoints that only the matrix names.',
      judged:
        'On an endpoint that only the matrix names, a refusal is told apart from everything else, and nothing more is judged.',
    },
    {
      id: 'F16',
      section: 'Authentication, rule 2',
      open: 'The matrix does not mention classic tokens.',
      judged: "A classic token serves as the owner's control only.",
    },
    {
      id: 'F17',
      section: fineGrained,
      open: 'A fine-grained token has a single resource owner.',
      judged:
        'Tokens are declared for each resource owner, and the provider is asked for the one that the row needs. A token of another resource owner leaves the check untested, on feeds too.',
    },
    {
      id: 'F18',
      section: 'Authentication, rule 7',
      open: 'The organisation dashboard has two conditions: the organisation permission and to be that user.',
      judged:
        'The dashboard asks for the organisation permission and for that user; each condition is removed by itself, and the refusal class applies.',
      caught: 'A dashboard that is served to another user.',
    },
    {
      id: 'F19',
      section: 'Errors 401',
      open: 'That an invalid token is answered 401 follows only from the meaning of the status.',
      judged:
        'On notifications and migrations a 2xx fails and a 403 warns, and only where the owner is served. Feeds may serve an invalid token as they serve an anonymous reader.',
      caught: 'Private data that is served to an invalid token.',
    },
    {
      id: 'F20',
      section: matrix,
      open: 'A token may be denied for having nothing at all, which says little about the categories.',
      judged:
        'Wherever a permission is judged, feeds and dashboard included, a token without any permission is denied, and so is a token that has every listed category but the one that is asked for.',
      caught: 'A neighbouring category that grants access.',
      checks: ['permissions.*.*-denied', 'events.repository.metadata-missing-*', 'events.user-organization.*'],
    },
  ],
}
