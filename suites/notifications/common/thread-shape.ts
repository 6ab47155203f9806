import { endpoints } from '../../../src/spec/endpoints.ts'
import type { Level } from '../../../src/spec/requirements.ts'
import { knownReasons } from '../../../src/spec/words/words.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'
import { atPointer } from '../../../src/text/data.ts'
import { endsWith } from '../../common/names.ts'
import type { ReadItems } from '../../common/served.ts'
import { objectsAmong, type Thread } from './threads.ts'

/** The shape of every thread, in a list or alone. */
export function threadShapeChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  read: ReadItems<Needs>,
) {
  const ofThreads = (
    aspect: string,
    title: string,
    own: { requirement: string; level?: Level },
    judge: (t: CheckContext, threads: Thread[]) => void,
  ) =>
    operation.check(aspect, title, own, async (t, needs) =>
      judge(t, objectsAmong(await read(t, needs))),
    )
  return [
    operation.check(
      'thread-shape',
      'returns every thread with the documented fields and types',
      'notifications.thread.shape',
      async (t, needs) => {
        t.expectAll(await read(t, needs), 'thread').match('thread')
      },
    ),
    ofThreads(
      'thread-non-null',
      'returns no null in fields that are documented as strings',
      { requirement: 'notifications.thread.non-null', level: 'should' },
      (t, threads) => {
        const complete = threads.filter(
          ({ value }) => isObject(value.subject) && isObject(value.repository),
        )
        t.expectAll(complete, 'thread').satisfy(
          'a string in every string field',
          (thread) => !nullField(thread),
          nulls,
        )
      },
    ),
    ofThreads(
      'full-name',
      'returns the login of the owner and the name as full_name of each repository',
      { requirement: 'notifications.thread.full-name', level: 'should' },
      (t, threads) => {
        const named = threads.filter(({ value }) => namesOf(value.repository).length > 0)
        const all = t.expectAll(named, 'thread with a complete repository')
        all.satisfy('full_name as owner.login/name', isNamedAfterOwner, ({ repository }) =>
          namesOf(repository).join(' against '),
        )
      },
    ),
    ofThreads(
      'reason',
      'returns each documented reason in its documented spelling',
      { requirement: 'notifications.thread.reason' },
      (t, threads) => {
        const reasons = threads.map(({ value, ...at }) => ({
          ...at,
          value: value.reason,
          pointer: `${at.pointer}/reason`,
        }))
        t.expectAll(reasons, 'reason').satisfy(
          'a documented reason in lower case, or an undocumented reason',
          isSpelledRight(t),
        )
      },
    ),
    ofThreads(
      'thread-urls',
      'returns the URLs of the thread and its subscription as url and subscription_url',
      { requirement: 'notifications.thread.urls' },
      (t, threads) => {
        t.expectAll(threads, 'thread').satisfy(
          'url and subscription_url that end with the paths of the thread',
          leadsToItself(t),
          ({ url, subscription_url }) => JSON.stringify({ url, subscription_url }),
        )
      },
    ),
  ]
}

/** The fields that implementations are known to leave null (readings D1, D2). */
const nullable = [
  '/last_read_at',
  '/subject/url',
  '/subject/latest_comment_url',
  '/repository/description',
]

const nullField = (thread: JsonObject) =>
  nullable.find((field) => atPointer(thread, field) === null)

const nulls = (thread: JsonObject) => `null in ${nullField(thread)} of thread ${thread.id}`

/** The full name of a repository, and its owner and name together; empty if one of them is missing. */
function namesOf(repository: unknown) {
  if (!isObject(repository) || !isObject(repository.owner)) return []
  const { full_name, name, owner } = repository
  const complete = [full_name, name, owner.login].every((part) => typeof part === 'string')
  return complete ? [String(full_name), `${owner.login}/${name}`] : []
}

/** Names are compared without regard to case. The check of the shape judges incomplete repositories (readings D28). */
function isNamedAfterOwner({ repository }: JsonObject) {
  const [full = '', composed = ''] = namesOf(repository)
  return full.toLowerCase() === composed.toLowerCase()
}

/** Unknown reasons are additive change, which is only observed (readings D20). */
const isSpelledRight = (t: CheckContext) => (reason: unknown) => {
  if (typeof reason !== 'string' || reason === '') return false
  if (isKnown(reason)) return true
  const misspelt = isKnown(reason.toLowerCase())
  if (!misspelt) t.observe('notification reasons', reason, 'the documented reasons alone')
  return !misspelt
}

const isKnown = (reason: string) => knownReasons.some((known) => known === reason)

/** Hosts and prefixes may differ behind proxies, so only the end of an address is compared (readings D25). */
function leadsToItself(t: CheckContext): (thread: JsonObject) => boolean {
  return ({ id, url, subscription_url }) => {
    const { thread, subscription } = threadPaths(t, String(id))
    return endsWith(url, thread) && endsWith(subscription_url, subscription)
  }
}

/** The paths of a thread and of its subscription, in the target's spelling. */
export function threadPaths(
  t: CheckContext,
  id: string,
): { readonly thread: string; readonly subscription: string } {
  const path = (template: string) => t.spelled(template).replace('{thread_id}', id)
  return {
    thread: path(endpoints.getThread.path),
    subscription: path(endpoints.getSubscription.path),
  }
}
