import type { Chapter } from './reading.ts'

export const migrations: Chapter = {
  letter: 'E',
  title: 'Migrations',
  readings: [
    {
      id: 'E1',
      section: 'Endpoints, User migrations',
      open: 'The document does not show the path that downloads an archive.',
      judged:
        'The path of the download comes from the configuration alone; without it the checks are untested. It is never guessed, and a 404 from a guessed path never fails.',
    },
    {
      id: 'E2',
      section: 'States and transitions; Endpoints, User migrations',
      open: 'The document does not show the host, the lifetime or the media type of the address that the 302 leads to.',
      judged:
        'The redirect to the archive is followed without the Authorization header. What it delivers begins as gzip data does and can be read as a tar file.',
      caught: 'A broken archive.',
    },
    {
      id: 'E3',
      section: 'Resources and their fields, User migration; What the service does, Common request conventions',
      open: 'The general convention ends a timestamp with Z, whereas the migration table asks for a numeric offset.',
      judged: 'In a migration the special rule governs: a numeric offset passes, whatever its value, and anything else fails.',
      caught: 'A timestamp with Z, a number, and a timestamp without a zone.',
    },
    {
      id: 'E4',
      section: 'States and transitions',
      open: 'The document does not show which transitions between the states exist.',
      judged:
        'A migration may pass through its states in any order and at any speed, and one that is not finished in time leaves its checks untested. An archive that is delivered while the state, read before and after, is not exported fails.',
      caught: 'The archive of an unfinished migration.',
    },
    {
      id: 'E5',
      section: 'States and transitions',
      open: 'A migration starts as pending, but a fast server may have finished before it answers.',
      judged: 'The body of the 201 says pending; anything else fails. Later reads may return any state.',
      caught: 'A 201 that says exported at once.',
    },
    {
      id: 'E6',
      section: 'Resources and their fields, User migration',
      open: 'The field org_metadata_only is said to be present in the response of a single migration.',
      judged: 'The field org_metadata_only is required of a single migration only.',
      caught: 'A single migration without it.',
    },
    {
      id: 'E7',
      section: 'Endpoints, Body of POST /user/migrations',
      open: 'Only org_metadata_only has a stated default.',
      judged: 'An omitted flag is judged by its type alone. A flag that was sent is returned with the sent value.',
      caught: 'Flags that are lost.',
    },
    {
      id: 'E8',
      section: 'Endpoints, Body of POST /user/migrations; Resources and their fields, User migration',
      open: 'The flags exclude_metadata and exclude_git_data are not fields of a response.',
      judged: 'The flags exclude_metadata and exclude_git_data are judged by the archive alone.',
    },
    {
      id: 'E9',
      section: 'Endpoints, User migrations',
      open: 'The document does not show how an array is spelt in a query.',
      judged:
        'The spellings exclude=repositories and exclude[]=repositories are both tried. The check fails only when each of them keeps the full list; a 4xx to all of them warns.',
      caught: 'A parameter that is ignored.',
    },
    {
      id: 'E10',
      section: 'Endpoints, Body of POST /user/migrations',
      open: 'A dropped attribute may be absent or empty.',
      judged: 'When repositories is excluded, an absent member passes, an empty array or null warns, and the full list fails.',
      caught: 'A list that is still complete.',
    },
    {
      id: 'E11',
      section: 'Resources and their fields, User migration',
      open: 'The document does not show which fields of a repository remain in a migration.',
      judged:
        'The repositories of a migration are objects, recognised by any of id, name and full_name. A key under 2026-03-10 that 2022-11-28 does not have warns.',
      caught: 'A value that is no array.',
    },
    {
      id: 'E12',
      section: 'Endpoints, Body of POST /user/migrations',
      open: 'The document does not show how unknown repositories, duplicates and an empty array are answered, nor how many migrations of a user may run at once.',
      judged:
        'For unknown repositories, duplicates and an empty array, a 201 passes, and so does a 4xx. An empty array together with org_metadata_only must be answered 201. A request that is refused while others run is sent again once they have ended; where others of the same run were accepted, a refusal that remains proves nothing.',
      caught: 'An export of organisation metadata that is refused.',
    },
    {
      id: 'E13',
      section: 'Endpoints, Body of POST /user/migrations; Errors 422',
      open: 'A missing repositories is invalid, and the row lists 422 for that.',
      judged:
        'A body without repositories must be answered with a 4xx, so that a 201 fails. A status other than 422, such as 400, warns.',
      caught: 'A body without repositories that is accepted.',
    },
    {
      id: 'E14',
      section: 'Endpoints, Body of POST /user/migrations; Errors 422',
      open: 'The document does not say how strictly types are validated.',
      judged:
        'A 201 fails when repositories is no array or contains items that are no strings; a 4xx is required, and another status than 422 warns. A 201 for a flag that is a string or a number warns.',
      caught: 'A list of repositories of the wrong type that is accepted.',
    },
    {
      id: 'E15',
      section: 'States and transitions',
      open: 'An archive can be deleted in any state, but a migration without an archive has nothing to delete.',
      judged:
        'Where a migration has no archive, deleting it may be answered 204, 404 or 409. The deletion of an exported archive must be answered 204, and an unknown id must be answered 404.',
      caught: 'A migration that disappears, or changes its state, together with its archive.',
    },
    {
      id: 'E16',
      section: 'States and transitions',
      open: 'The document does not show how a download is answered when there is no archive: after its deletion, before the export or after a failure.',
      judged:
        'A 302 claims that there is an archive, so that it fails when the state, read before and after, says otherwise. Any 4xx passes. An address that was handed out earlier may continue to work.',
      caught: 'An archive that is served in spite of its deletion.',
    },
    {
      id: 'E17',
      section: 'States and transitions',
      open: 'The document does not show what a lock prevents and when it begins.',
      judged:
        'A lock is judged only by unlocking: 204 at first and 404 afterwards. The request is repeated for a while, because locking may happen in the background.',
      caught: 'A 204 for unlocking a repository that is not locked.',
    },
    {
      id: 'E18',
      section: 'Endpoints, User migrations',
      open: 'The parameter repo_name may be the bare name or the name with its owner.',
      judged: 'The suite sends the bare name of the repository as repo_name.',
    },
    {
      id: 'E19',
      section: 'Resources and their fields, Migration archive; Limits',
      open: 'The seven days begin with the archive, which is made later than the migration.',
      judged:
        'The lifetime of an archive is judged with one day of slack on both sides: the need expired-migration asks for an archive of more than eight days, and the updated_at of an exported migration is read before the check fails.',
      caught: 'An archive that never expires.',
    },
    {
      id: 'E20',
      section: 'Resources and their fields, Migration archive',
      open: 'The document does not show how the members of an archive are named.',
      judged:
        'A member belongs to the kind whose name it begins with, below ./ or one top folder. Kinds without objects may be absent, and empty files and folders are fine after an exclusion. JSON members parse, as any JSON value. Links, devices and duplicate names are never followed and are reported as observations. An absolute name and one with .. warn.',
      caught: 'Data that was to be excluded, and the absence of what the exported repository is known to contain.',
    },
    {
      id: 'E21',
      section: 'Authentication, rule 6',
      open: 'The document says that three kinds of token do not work, without a status.',
      judged:
        'A kind of token that does not work is judged by the refusal class, and the owner verifies that the request had no effect.',
      caught: 'An app token that is accepted.',
    },
    {
      id: 'E22',
      section: 'Endpoints, User migrations; Errors',
      open: 'The row of the repositories listing lacks 401 and 403, and the row of the download lacks 404, which looks like an omission.',
      judged: 'The refusal class applies to the repositories listing and to the download, whatever their rows list.',
      caught: 'An anonymous request that succeeds.',
    },
    {
      id: 'E23',
      section: 'Authentication, rule 6',
      open: 'The document does not state a scope that a classic token needs here.',
      judged: 'No scope of a classic token is asserted.',
    },
    {
      id: 'E24',
      section: 'Resources and their fields, User migration',
      open: 'Further states may be added to the four.',
      judged:
        'An unknown state is reported as an observation. An empty string, a value that is no string, and a documented state in another letter case fail.',
      caught: 'A state with a capital letter, such as Exported.',
    },
    {
      id: 'E25',
      section: 'Endpoints, User migrations; States and transitions',
      open: 'Before the export nothing has been migrated, so that the list of repositories may still be empty.',
      judged:
        'The repositories listing and the member repositories are judged once the state is exported. Earlier an empty or shorter list passes, but a list with other repositories never does.',
      caught: 'A wrong set of repositories after the export.',
    },
    {
      id: 'E26',
      section: 'Resources and their fields, User migration',
      open: 'No sentence says which fields of a migration stay the same, although they identify it.',
      judged:
        'The id, guid, created_at and owner are the same in the 201, in the list and in the single migration, at any time. The flags that were sent are returned in all three, as far as the list includes them, and an omitted org_metadata_only is false. An exported migration stays exported after the download, the deletion and the expiry of its archive. A url whose path does not end with the path of the migration warns.',
      caught: 'A changing identity, lost flags, and a state that a download changes.',
    },
  ],
}
