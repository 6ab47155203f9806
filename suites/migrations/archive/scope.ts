import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { locked, unlocking } from '../common/lock-state.ts'
import { archiveNeeds, contents, disposable, metadataOnly, ofTwo, plain, twoRepositories } from '../common/migration-state.ts'
import { startMigration } from '../common/start-request.ts'
import { amountOf, parts } from './parts.ts'

type Two = Resolved<typeof archiveNeeds & typeof twoRepositories>

/** The repositories that an archive contains. */
export function scopeChecks(archive: Operation<typeof archiveNeeds>): Check[] {
  const ofTwoRepositories = archive.with({ needs: { ...archiveNeeds, ...twoRepositories }, schedule: 'alone' })
  return [
    ofTwoRepositories.check('several-repositories', 'includes the data of each of two repositories', expectBoth),
    archive.check(
      'org-metadata-only-alone',
      'ignores other flags beside org_metadata_only',
      { requirement: 'migrations.archive.org-metadata-only', level: 'should', slow: true },
      expectOthersIgnored,
    ),
  ]
}

/** Each repository has an entry and Git data of its own, so that the archive of both contains more than that of either. */
const ofEach: readonly string[] = ['repositories', 'repositories/']

/** A lock, and its end, change the archive in no way. */
async function expectBoth(t: CheckContext, resolved: Two): Promise<void> {
  const one = await contents(t, resolved, await plain(t, resolved))
  const other = await contents(t, resolved, await disposable(t, resolved))
  await unlessUntested(unlocking(t, resolved))
  const withLocks = await locked(t, resolved)
  const whole = await contents(t, resolved, withLocks.id === undefined ? await ofTwo(t, resolved) : withLocks)
  for (const part of parts) {
    const [first, second] = [amountOf(one.inspection, part), amountOf(other.inspection, part)]
    if (first === 0 || second === 0) continue
    const isCounted = ofEach.includes(part) && !whole.inspection.kinds.get(part)?.unchecked
    const least = isCounted ? Math.max(first, second) : 0
    const together = amountOf(whole.inspection, part)
    t.expect(whole.answer).satisfy(`more than ${least} ${part} of two repositories`, together > least, String(together))
  }
}

async function expectOthersIgnored(t: CheckContext, resolved: Resolved<typeof archiveNeeds>): Promise<void> {
  const first = await metadataOnly(t, resolved.owner)
  const alone = await contents(t, resolved, first)
  const flags = { org_metadata_only: true, exclude_metadata: true, exclude_git_data: true }
  const started = await t.shared('migration with org_metadata_only and others', (shared) =>
    startMigration(shared, resolved.owner, [], flags),
  )
  if (started.id === first.id) t.untested('two different migrations were started under one id')
  const beside = await contents(t, resolved, started)
  const there = parts.filter((part) => amountOf(alone.inspection, part) > 0)
  const lost = there.filter((part) => amountOf(beside.inspection, part) === 0)
  if (there.length > 0) t.expect(beside.answer).satisfy(there.join(', '), lost.length === 0, `no ${lost.join(', ')}`)
}
