import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../../src/suite/needs.ts'
import { endsWith } from '../../common/names.ts'
import { objectsAmong } from './threads.ts'

/** Where threads come from whose shape is judged. */
export interface ThreadSource<Needs extends NeedMap> {
  readonly id: string
  readonly needs: Needs
  readonly items: (t: CheckContext, needs: Resolved<Needs>) => Promise<readonly Located[]>
  /** Where they are what the whole run has read. */
  readonly schedule?: 'afterwards'
}

/** The reasons that the document lists (document: Resources and their fields, Reason values). */
export const knownReasons = [
  'approval_requested',
  'assign',
  'author',
  'ci_activity',
  'comment',
  'invitation',
  'manual',
  'member_feature_requested',
  'mention',
  'review_requested',
  'security_advisory_credit',
  'security_alert',
  'state_change',
  'subscribed',
  'team_mention',
] as const

/** What the document asks of every thread, in a list or alone. */
export function threadShapeChecks<const Needs extends NeedMap>(source: ThreadSource<Needs>): Check[] {
  const { id, needs, schedule } = source
  const common = { needs, ...(schedule ? { schedule } : {}) }
  const threads = async (t: CheckContext, resolved: Resolved<Needs>) => objectsAmong(await source.items(t, resolved))
  return [
    check({
      id: `${id}.thread-shape`,
      requirement: 'notifications.thread.shape',
      level: 'must',
      title: 'returns every thread with the documented fields and types',
      ...common,
      run: async (t, resolved) => void t.expectAll(await source.items(t, resolved), 'thread').match('thread'),
    }),
    check({
      id: `${id}.thread-non-null`,
      requirement: 'notifications.thread.non-null',
      level: 'should',
      title: 'returns no null in fields that are documented as strings',
      ...common,
      run: async (t, resolved) => {
        const complete = (await threads(t, resolved)).filter(({ value }) => isObject(value.subject) && isObject(value.repository))
        t.expectAll(complete, 'thread').satisfy('a string in every string field', (thread) => !nullField(thread), nulls)
      },
    }),
    check({
      id: `${id}.full-name`,
      requirement: 'notifications.thread.full-name',
      level: 'should',
      title: 'returns the login of the owner and the name as full_name of each repository',
      ...common,
      run: async (t, resolved) => {
        const named = (await threads(t, resolved)).filter(({ value }) => namesOf(value.repository).length > 0)
        const all = t.expectAll(named, 'thread with a complete repository')
        all.satisfy('full_name as owner.login/name', isNamedAfterOwner, ({ repository }) => namesOf(repository).join(' against '))
      },
    }),
    check({
      id: `${id}.reason`,
      requirement: 'notifications.thread.reason',
      level: 'must',
      title: 'returns each documented reason in its documented spelling',
      ...common,
      run: async (t, resolved) => {
        const all = t.expectAll(await threads(t, resolved), 'thread')
        all.satisfy('a documented reason in lower case, or an undocumented reason', ({ reason }) => isSpelledRight(t, reason))
      },
    }),
    check({
      id: `${id}.thread-urls`,
      requirement: 'notifications.thread.urls',
      level: 'must',
      title: 'returns the URLs of the thread and its subscription as url and subscription_url',
      ...common,
      run: async (t, resolved) => {
        t.expectAll(await threads(t, resolved), 'thread').satisfy('addresses that end with the thread’s path', leadsToItself(t))
      },
    }),
  ]
}

/** The fields that implementations are known to leave null (readings D1, D2). */
function nullField({ last_read_at, subject, repository }: JsonObject): string | undefined {
  if (last_read_at === null) return 'last_read_at'
  if (isObject(subject) && subject.url === null) return 'subject.url'
  if (isObject(subject) && subject.latest_comment_url === null) return 'subject.latest_comment_url'
  return isObject(repository) && repository.description === null ? 'repository.description' : undefined
}

function nulls(thread: JsonObject): string {
  return `null in ${nullField(thread)} of thread ${String(thread.id)}`
}

/** The full name of a repository, and what its owner and its name make of it; empty where one of them is missing. */
function namesOf(repository: unknown): string[] {
  if (!isObject(repository) || !isObject(repository.owner)) return []
  const { full_name, name, owner } = repository
  const complete = [full_name, name, owner.login].every((part) => typeof part === 'string')
  return complete ? [String(full_name), `${String(owner.login)}/${String(name)}`] : []
}

/** Names are compared without regard to case; an incomplete repository is left to the check of the shape (readings D28). */
function isNamedAfterOwner({ repository }: JsonObject): boolean {
  const [full = '', composed = ''] = namesOf(repository)
  return full.toLowerCase() === composed.toLowerCase()
}

/** Unknown reasons are additive change and only noted (readings D20). */
function isSpelledRight(t: CheckContext, reason: unknown): boolean {
  if (typeof reason !== 'string' || reason === '') return false
  if ((knownReasons as readonly string[]).includes(reason)) return true
  const misspelt = (knownReasons as readonly string[]).includes(reason.toLowerCase())
  if (!misspelt) t.observe('notification reasons', `the undocumented reason "${reason}" occurs`)
  return !misspelt
}

/** Hosts and prefixes may differ behind proxies, so only the end of an address is compared (readings D25). */
function leadsToItself(t: CheckContext): (thread: JsonObject) => boolean {
  return ({ id, url, subscription_url }) => {
    const { thread, subscription } = threadPaths(t, String(id))
    return endsWith(url, thread) && endsWith(subscription_url, subscription)
  }
}

/** The paths of a thread and of its subscription, as the target spells them. */
export function threadPaths(t: CheckContext, id: string): { readonly thread: string; readonly subscription: string } {
  const path = (template: string) => t.spelled(template).replace('{thread_id}', id)
  return { thread: path(endpoints.getThread.path), subscription: path(endpoints.getSubscription.path) }
}
