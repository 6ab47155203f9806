import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange, SentRequest } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { isLatest } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { sendUntil } from '../../../src/suite/observe.ts'
import {
  accessChecks,
  everyone,
  tryEveryone,
  unknownId,
  unknownMigration,
} from '../common/access.ts'
import {
  expectUnlocked,
  type Guarded,
  guarded,
  guardedAnew,
  otherThan,
  requireSeparate,
  unknownRepository,
  unlockIn,
  unlocking,
  unlockRequest,
} from '../common/lock-state.ts'
import {
  flagged,
  idOf,
  needs,
  onMigrations,
  twoRepositories,
} from '../common/started-migrations.ts'
import { lockChecks } from './lock-checks.ts'

const endpoint = endpoints.unlockRepository
const unlock = onMigrations('unlock', endpoint, twoRepositories).with({ schedule: 'alone' })
const ofOne = unlock.with({ needs })
const unknown = ofOne.with({ requirement: 'migrations.unlock.unknown' })

export default unlock.suite([
  ...accessChecks(unlock, async (t, resolved) => {
    const guardedId = lockedId(t, resolved.owner, await guarded(t, resolved))
    return (as) => unlockRequest(as, guardedId, resolved.repository.repo)
  }),
  unlock.check(
    'refused-without-effect',
    'keeps the lock after a rejected request',
    { requirement: 'migrations.access.no-effect', conclusive: true, also: everyone },
    expectLockKept,
  ),
  unlock.check('status', 'returns 204 without a body for a locked repository', expectUnlocked),
  unlock.check(
    'again',
    'returns 404 once the repository is unlocked',
    'migrations.unlock.not-locked',
    async (t, resolved) => {
      const { first, again } = await unlocking(t, resolved)
      if (first.status >= 300) t.untested(`unlocking returned ${first.status}`)
      t.expect(again).status(404)
    },
  ),
  ofOne.check(
    'not-locked',
    'returns 404 when the migration locked no repository',
    async (t, resolved) => {
      const { owner, repository } = resolved
      const unlockOf = async (...flags: string[]) =>
        unlockRequest(owner, idOf(t, await flagged(t, resolved, ...flags)), repository.repo)
      const request = await unlockOf('exclude_attachments')
      let response = await t.send(request)
      if (response.ok) {
        // This may have been the lock of another migration, if locks belong to the repository; it may be gone a little later.
        await sendUntil(t, request, ({ ok }) => !ok)
        response = await t.send(await unlockOf('exclude_attachments', 'exclude_releases'))
      }
      t.expect(response).status(404)
    },
  ),
  unknown.check(
    'unknown-repository',
    'returns 404 for a repository that is not in the migration',
    { schedule: 'afterwards' },
    async (t, resolved) => {
      const unlocked = idOf(t, await flagged(t, resolved, 'exclude_attachments'))
      const own = await t.send(unlockRequest(resolved.owner, unlocked, unknownRepository))
      // Other checks name it beside locks.
      const served = t
        .recorded(endpoint)
        .find(({ ok, request }) => ok && request.url.includes(unknownRepository))
      t.expect(served ?? own).status(404)
    },
  ),
  ...lockChecks(unlock),
  unknownMigration(unlock, {
    request: (as, unknown) => unlockRequest(as, unknown, 'none'),
    readOwn: async (t, resolved) => (await unlocking(t, resolved)).first,
  }),
])

type Two = Resolved<typeof twoRepositories>
type Others = Resolved<typeof everyone>

/**
 * Rejected requests keep the locks. If locks belong to the repository, other requests of the run may have removed them: only a new
 * lock decides then.
 */
async function expectLockKept(t: CheckContext, two: Two, others: Others) {
  await requireSeparate(t, two)
  const response = await unlockAfterRefusals(t, two, others, await guarded(t, two))
  if (response.status === 204) return t.examined(1)
  const anew = await guardedAnew(t, two, 'exclude_attachments', 'exclude_owner_projects')
  t.expect(await unlockAfterRefusals(t, two, others, anew)).status(204)
}

/** Unlocks all repositories but the second one, which was the control. Returns the first unusual response, if there is one. */
async function unlockAfterRefusals(t: CheckContext, two: Two, others: Others, migration: Guarded) {
  const { owner, second } = two
  const guardedId = lockedId(t, owner, migration)
  // Each version has another place of the repository.
  const { repo = '' } = otherThan(second, two).at(isLatest(t) ? -1 : 0) ?? {}
  await tryEveryone(t, (as) => unlockRequest(as, guardedId, repo), others)
  const unknown = await t.send(unlockRequest(owner, unknownId, repo))
  t.expect(unknown).satisfy('a rejection of an unknown migration', !unknown.ok)
  const locked = migration.started.repositories.filter((each) => each !== second)
  const responses = await unlockIn(t, owner, guardedId, locked)
  return responses.find(({ status }) => status !== 204) ?? (responses[0] as Exchange)
}

/** The id of the guarded migration. The control: the owner has unlocked its other repository (readings G4). */
function lockedId(t: CheckContext, owner: Caller, { started, control }: Guarded) {
  const guardedId = idOf(t, started)
  // All its locks. The check of that caller reports it.
  const locks = control && new URL('..', control.request.url).href
  const isOther = ({ as, url }: SentRequest) => as !== owner.label && url.startsWith(String(locks))
  if (t.recorded(endpoint).some(({ status, request }) => status < 300 && isOther(request)))
    t.untested('a request that must be rejected has already removed the lock')
  return control?.status === 204
    ? guardedId
    : t.untested(`the owner could not unlock the repository either (${control?.status})`)
}
