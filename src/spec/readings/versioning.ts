import type { Chapter } from './reading.ts'

const change = (...numbers: readonly number[]) =>
  numbers.map((number) => `Versioning, Changes in version 2026-03-10, ${number}`).join('; ')

export const versioning: Chapter = {
  letter: 'V',
  title: 'Versioning and the 21 changes',
  readings: [
    {
      id: 'V1',
      section: 'Versioning, rule 2',
      open: 'The document does not show what happens when the version header is omitted, unknown or malformed.',
      judged:
        'The suite always sends the version header, and nothing is asserted about a header that is omitted, unknown or malformed.',
    },
    {
      id: 'V2',
      section: 'Versioning, rule 3',
      open: 'A field that the new version removes must still exist under the old one, unless it is optional there or depends on rights.',
      judged:
        'A closed list says what is judged under 2022-11-28. An absence fails for rate, for the addresses of the API root, for history and forks on GET /gists/{gist_id}, for assignee on issues and pull requests, for merge_commit_sha on pull requests and for the bundle of attestations. It warns for history and forks on POST and PATCH of a gist and for changes 5, 10, 12, 15 and 16; for change 12 only where the field was seen elsewhere under the old version. A removed field that is seen under 2026-03-10 always fails.',
      caught: 'A field that is removed too early or too late.',
    },
    {
      id: 'V3',
      section: change(12),
      open: 'The names has_downloads and downloads_url look alike, and a minimal repository need not have the former.',
      judged:
        'The exact key has_downloads is looked for, in repository objects only. Under the old version it is not required of a minimal repository.',
      caught: 'The key has_downloads in a repository under the new version.',
    },
    {
      id: 'V4',
      section: `Resources and their fields, Payload shapes; ${change(7)}`,
      open: 'The member master_branch of a CreateEvent has the name of a field that change 7 deprecates.',
      judged: 'The master_branch of a CreateEvent stays; change 7 concerns repository objects.',
      caught: 'A CreateEvent without master_branch.',
    },
    {
      id: 'V5',
      section: change(7),
      open: 'Change 7 replaces user by owner, but user is a legitimate field of issues and comments.',
      judged: 'Change 7 is judged on gists only. The key user is never searched for in general.',
    },
    {
      id: 'V6',
      section: change(7, 15),
      open: 'Changes 7 and 15 say deprecated and not removed.',
      judged:
        'Forms that are called deprecated and not removed may be present under the new version. An advisory fails under it when it has neither cvss nor cvss_severities, and when its cvss_severities is not an object that contains cvss_v3 or cvss_v4 although it has scores.',
      caught: 'Severities that are lost or flattened.',
    },
    {
      id: 'V7',
      section: change(19),
      open: 'The key assignee also occurs in the payload of events and in alerts.',
      judged: 'The key assignee is looked for inside issue and pull request objects only.',
      caught: 'The singular assignee of an issue or a pull request under the new version.',
    },
    {
      id: 'V8',
      section: change(17),
      open: 'The key merge_commit_sha may occur in other objects.',
      judged: 'The key merge_commit_sha is looked for inside pull request objects only, those in event payloads included.',
      caught: 'A pull request with merge_commit_sha under the new version.',
    },
    {
      id: 'V9',
      section: change(5, 12, 17, 19),
      open: 'These changes name all nine feeds, although an event has no such field by itself.',
      judged:
        'In a feed, removed keys are looked for in repositories, issues and pull requests inside payloads. A feed without such an object leaves the check untested.',
      caught: 'An object in its old form inside a payload.',
    },
    {
      id: 'V10',
      section: change(8),
      open: 'The base gist of change 8 may be the top level or a nested object.',
      judged: 'The top level of a gist is judged on the listed endpoints. The field forks_url stays.',
      caught: 'The fields history and forks at the top level under the new version.',
    },
    {
      id: 'V11',
      section: change(18),
      open: 'Under the old version, a dispatch with return_run_details may be answered 200 already.',
      judged:
        'The status of a dispatch is judged without return_run_details. Under the old version the parameter is sent once, as false, and a 4xx fails. Under the new version the answer is a 200 with a non-empty object.',
      caught: 'A 204 under the new version, a 200 without details, and a parameter that is refused too early.',
    },
    {
      id: 'V12',
      section: change(13, 14),
      open: 'The changes concern only requests that trade controls block.',
      judged:
        'A 451 is never expected for an ordinary error. The changes are judged only with data that is restricted by trade controls, and DELETE /orgs/{org} only on an organisation that is marked as disposable; otherwise the checks are untested.',
      caught: 'A 451 under the old version, and a 422 or 403 for a blocked request under the new one.',
    },
    {
      id: 'V13',
      section: change(2, 10, 18, 19),
      open: 'A removed parameter may be ignored or refused.',
      judged:
        'Under the new version a request without the removed parameter is accepted, and a parameter that takes effect, as reading back proves, fails; both ignoring and refusing it pass. Under the old version the parameter is accepted, so that a refusal fails.',
      caught: 'A removed parameter that still takes effect, and one that is refused too early.',
    },
    {
      id: 'V14',
      section: change(20),
      open: 'The document does not say what strings among the repository ids lead to.',
      judged:
        'Among repository ids, under the new version strings and mixed arrays are refused with a 4xx and integers are accepted. Under the old version integers are accepted and strings are not judged.',
      caught: 'Strings that are accepted under the new version.',
    },
    {
      id: 'V15',
      section: change(6),
      open: 'The document shows neither the method of /hub nor the status after its removal.',
      judged:
        'The request to /hub is declared by the target. When it is served under the old version, a 2xx under the new one fails. A refusal under the old version warns.',
      caught: 'An endpoint /hub that remains.',
    },
    {
      id: 'V16',
      section: change(4),
      open: 'The document shows neither the parameters of the media type nor the path.',
      judged: 'Of the Content-Type the media type alone is compared, and the path comes from the configuration.',
      caught: 'The old media type under the new version, and the reverse.',
    },
    {
      id: 'V17',
      section: `${change(16)}; Resources and their fields, User migration`,
      open: 'The document does not show which fields of a repository remain in a migration.',
      judged:
        'The same repository of a migration is compared on each of the named endpoints, those of organisations and the 201 included. Its keys under the new version must be a proper subset of those under the old one, apart from the fields that changes 5 and 12 remove; otherwise the check warns.',
    },
    {
      id: 'V18',
      section: change(3),
      open: 'The change concerns the entries of a directory listing, but a single file can be requested at the same path.',
      judged: 'Submodules are judged only as entries of a directory listing.',
      caught: 'A submodule of the type file in a listing under the new version.',
    },
    {
      id: 'V19',
      section: change(11),
      open: 'The name of the new language contains the names of the old ones.',
      judged: 'The names of languages are compared as whole strings.',
      caught: 'The languages javascript and typescript under the new version.',
    },
    {
      id: 'V20',
      section: 'Versioning, rule 3',
      open: 'The values of live data move between the requests of the two versions.',
      judged: 'Keys, types and statuses are compared across versions, and values are not.',
    },
    {
      id: 'V21',
      section: 'Versioning, rule 5; Limits',
      open: 'The 24 months of support end on a certain day.',
      judged: 'The old version must be offered until 10 March 2028. After that its absence is only reported.',
      caught: 'An old version that is withdrawn too early.',
    },
    {
      id: 'V22',
      section: 'Versioning, rules 1 and 5',
      open: 'A target may offer a single version before the release date of the new one, but not while both are supported.',
      judged:
        'The target declares what it offers. An undeclared absence fails for the old version, and warns for the new one before its release.',
      caught: 'A version that is missing without a declaration.',
    },
  ],
}
