import type { Endpoint, Paging } from './endpoint.ts'

const pages30: Paging = { default: 30, max: 100 }
const feed = { section: 'Endpoints, Event feeds', method: 'GET', success: { 200: 'event[]' } } as const
const notification = { section: 'Endpoints, Notifications' } as const
const migration = { section: 'Endpoints, User migrations' } as const

// biome-ignore format: the columns are read against the document's tables
/** The 26 endpoints with a row of their own in the document (section Endpoints). */
export const endpoints = {
  publicEvents:           { ...feed, path: '/events',                                  others: [304, 403, 503],      paging: { default: 15, max: 100 } },
  networkEvents:          { ...feed, path: '/networks/{owner}/{repo}/events',          others: [301, 304, 403, 404], paging: pages30 },
  organizationEvents:     { ...feed, path: '/orgs/{org}/events',                       others: [],                   paging: pages30 },
  repositoryEvents:       { ...feed, path: '/repos/{owner}/{repo}/events',             others: [],                   paging: pages30 },
  userEvents:             { ...feed, path: '/users/{username}/events',                 others: [],                   paging: pages30 },
  userOrganizationEvents: { ...feed, path: '/users/{username}/events/orgs/{org}',      others: [],                   paging: pages30 },
  userPublicEvents:       { ...feed, path: '/users/{username}/events/public',          others: [],                   paging: pages30 },
  receivedEvents:         { ...feed, path: '/users/{username}/received_events',        others: [],                   paging: pages30 },
  receivedPublicEvents:   { ...feed, path: '/users/{username}/received_events/public', others: [],                   paging: pages30 },

  listNotifications:      { ...notification, method: 'GET',    path: '/notifications',                                  success: { 200: 'thread[]' },             others: [304, 401, 403, 422], paging: { default: 50, max: 50 } },
  markNotificationsRead:  { ...notification, method: 'PUT',    path: '/notifications',                                  success: { 202: 'message', 205: null },   others: [304, 401, 403] },
  getThread:              { ...notification, method: 'GET',    path: '/notifications/threads/{thread_id}',              success: { 200: 'thread' },               others: [304, 401, 403] },
  markThreadRead:         { ...notification, method: 'PATCH',  path: '/notifications/threads/{thread_id}',              success: { 205: null },                   others: [304, 403] },
  markThreadDone:         { ...notification, method: 'DELETE', path: '/notifications/threads/{thread_id}',              success: { 204: null },                   others: [] },
  getSubscription:        { ...notification, method: 'GET',    path: '/notifications/threads/{thread_id}/subscription', success: { 200: 'thread-subscription' },  others: [304, 401, 403] },
  setSubscription:        { ...notification, method: 'PUT',    path: '/notifications/threads/{thread_id}/subscription', success: { 200: 'thread-subscription' },  others: [304, 401, 403] },
  deleteSubscription:     { ...notification, method: 'DELETE', path: '/notifications/threads/{thread_id}/subscription', success: { 204: null },                   others: [304, 401, 403] },
  listRepositoryNotifications:     { ...notification, method: 'GET', path: '/repos/{owner}/{repo}/notifications',       success: { 200: 'thread[]' },             others: [], paging: pages30 },
  markRepositoryNotificationsRead: { ...notification, method: 'PUT', path: '/repos/{owner}/{repo}/notifications',       success: { 202: 'message', 205: null },   others: [] },

  listMigrations:            { ...migration, method: 'GET',    path: '/user/migrations',                                       success: { 200: 'migration[]' },  others: [304, 401, 403], paging: pages30 },
  startMigration:            { ...migration, method: 'POST',   path: '/user/migrations',                                       success: { 201: 'migration' },    others: [304, 401, 403, 422] },
  getMigration:              { ...migration, method: 'GET',    path: '/user/migrations/{migration_id}',                        success: { 200: 'migration' },    others: [304, 401, 403, 404] },
  downloadArchive:           { ...migration, method: 'GET',    path: null, configuredPath: 'downloadArchive',                  success: { 302: null },           others: [304, 401, 403] },
  deleteArchive:             { ...migration, method: 'DELETE', path: '/user/migrations/{migration_id}/archive',                success: { 204: null },           others: [304, 401, 403, 404] },
  unlockRepository:          { ...migration, method: 'DELETE', path: '/user/migrations/{migration_id}/repos/{repo_name}/lock', success: { 204: null },           others: [304, 401, 403, 404] },
  listMigrationRepositories: { ...migration, method: 'GET',    path: '/user/migrations/{migration_id}/repositories',           success: { 200: 'migration-repository[]' }, others: [404], paging: pages30 },
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
