import { type Check, endpointOf, type Suite } from './check.ts'
import type { Touch } from './touch.ts'

/** The objects that a check touches: the declared ones, else the whole of its endpoint, which it changes if it runs alone. */
export function touchesOf(check: Check, suite: Suite): readonly Touch[] {
  const alone = check.schedule === 'alone' || (check.schedule === 'across' && check.writes === true)
  return check.touches ?? [{ what: wholeOf(check, suite), how: alone ? 'changes' : 'keeps' }]
}

/** Threads, migrations and feeds are independent of each other and of everything else that a target keeps. */
function wholeOf(check: Check, suite: Suite): string {
  const { path } = endpointOf(check, suite)
  if (/\/notifications\b/.test(path ?? '')) return 'inbox'
  if (path === null || path.startsWith('/user/migrations')) return 'migrations'
  return suite.area === 'events' ? 'feeds' : 'objects'
}
