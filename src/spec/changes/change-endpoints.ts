import type { Endpoint, Method } from '../endpoints.ts'

const affected = { section: 'Versioning, Changes in version 2026-03-10', others: [] } as const
const read = { ...affected, method: 'GET', success: { 200: null } } as const

// biome-ignore format: the columns are read against the document's table
/** The endpoints whose paths the table of changes states, besides the 26 with a row of their own. */
export const changeEndpoints = {
  root:                   { ...read, path: '/' },
  rateLimit:              { ...read, path: '/rate_limit' },
  contents:               { ...read, path: '/repos/{owner}/{repo}/contents/{path}' },
  defaultSetup:           { ...read, path: '/repos/{owner}/{repo}/code-scanning/default-setup' },
  userSubscriptions:      { ...read, path: '/user/subscriptions' },

  createTeam:             { ...affected, method: 'POST',   path: '/orgs/{org}/teams',                       success: { 201: null } },
  organization:           { ...read, path: '/orgs/{org}' },
  updateOrganization:     { ...affected, method: 'PATCH',  path: '/orgs/{org}',                             success: { 200: null } },
  deleteOrganization:     { ...affected, method: 'DELETE', path: '/orgs/{org}',                             success: {} },
  removeMember:           { ...affected, method: 'DELETE', path: '/orgs/{org}/members/{username}',          success: {} },
  setMembership:          { ...affected, method: 'PUT',    path: '/orgs/{org}/memberships/{username}',      success: {} },
  acceptInvitation:       { ...affected, method: 'PATCH',  path: '/user/repository_invitations/{invitation_id}', success: {} },
  createOrgRepository:    { ...affected, method: 'POST',   path: '/orgs/{org}/repos',                       success: {} },
  createUserRepository:   { ...affected, method: 'POST',   path: '/user/repos',                             success: {} },
  startOrgMigration:      { ...affected, method: 'POST',   path: '/orgs/{org}/migrations',                  success: { 201: null } },
  deleteInstallation:     { ...affected, method: 'DELETE', path: '/app/installations/{installation_id}',    success: { 202: null, 204: null } },
  dispatchWorkflow:       { ...affected, method: 'POST',   path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches', success: { 200: null, 204: null } },
  setOrganizationSecret:  { ...affected, method: 'PUT',    path: '/orgs/{org}/depbot/secrets/{secret_name}', success: {} },

  gists:                  { ...read, path: '/gists' },
  publicGists:            { ...read, path: '/gists/public' },
  starredGists:           { ...read, path: '/gists/starred' },
  gist:                   { ...read, path: '/gists/{gist_id}' },
  gistForks:              { ...read, path: '/gists/{gist_id}/forks' },
  gistRevision:           { ...read, path: '/gists/{gist_id}/{sha}' },
  userGists:              { ...read, path: '/users/{username}/gists' },
  updateGist:             { ...affected, method: 'PATCH',  path: '/gists/{gist_id}',                        success: { 200: null } },
  createGist:             { ...affected, method: 'POST',   path: '/gists',                                  success: { 201: null } },
  forkGist:               { ...affected, method: 'POST',   path: '/gists/{gist_id}/forks',                  success: { 201: null } },

  orgAttestations:        { ...read, path: '/orgs/{org}/attestations/{subject_digest}' },
  repositoryAttestations: { ...read, path: '/repos/{owner}/{repo}/attestations/{subject_digest}' },
  userAttestations:       { ...read, path: '/users/{username}/attestations/{subject_digest}' },
  orgAttestationList:     { ...affected, method: 'POST',   path: '/orgs/{org}/attestations/bulk-list',      success: { 200: null } },
  userAttestationList:    { ...affected, method: 'POST',   path: '/users/{username}/attestations/bulk-list', success: { 200: null } },
} as const satisfies Record<string, Endpoint>

/** The endpoint of claims that any served address can prove: no single address decides whether they can be judged. */
export const anyAddress: Endpoint = { ...read, section: 'Versioning', path: '(any address)' }

/** The changes are numbered from 1 to 21. */
export type ChangeNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21

/** The addresses that a change describes only as a family. The need `version-request` declares those of a target. */
export function familyOf(change: ChangeNumber, method: Method = 'GET'): Endpoint {
  return { ...affected, method, path: `(version-request of change ${change})`, success: {} }
}
