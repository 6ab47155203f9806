import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { archiveNeeds, contents, disposable, metadataOnly, ofTwo, plain, twoRepositories } from '../common/migration-state.ts'
import { start } from '../common/start-request.ts'
import { amountOf, parts } from './parts.ts'

const both = { ...twoRepositories, path: archiveNeeds.path }

/** Which repositories an archive is about. */
export function scopeChecks(id: string): Check[] {
  return [
    check({
      id: `${id}.several-repositories`,
      requirement: 'migrations.archive.several-repositories',
      level: 'must',
      title: 'includes the data of each of two repositories',
      needs: both,
      writes: true,
      run: async (t, resolved) => holdsBoth(t, resolved),
    }),
    check({
      id: `${id}.org-metadata-only-alone`,
      requirement: 'migrations.archive.org-metadata-only',
      level: 'should',
      title: 'ignores other flags beside org_metadata_only',
      needs: archiveNeeds,
      writes: true,
      slow: true,
      run: async (t, resolved) => ignoresOthers(t, resolved),
    }),
  ]
}

/** Each repository has an entry and Git data of its own, so that the archive of both holds more than that of either. */
const ofEach = ['repositories', 'repositories/'] as const

async function holdsBoth(t: CheckContext, resolved: Resolved<typeof both>): Promise<void> {
  const one = await contents(t, resolved, await plain(t, resolved))
  const other = await contents(t, resolved, await disposable(t, resolved))
  const whole = await contents(t, resolved, await ofTwo(t, resolved))
  for (const part of ofEach) {
    const [first, second] = [amountOf(one.inspection, part), amountOf(other.inspection, part)]
    if (first === 0 || second === 0) continue
    const together = amountOf(whole.inspection, part)
    const expected = `more ${part} than the ${Math.max(first, second)} of one repository`
    if (together <= Math.max(first, second)) t.deviation({ expected, actual: String(together), exchanges: [whole.answer] })
    t.examined(1)
  }
}

async function ignoresOthers(t: CheckContext, resolved: Resolved<typeof archiveNeeds>): Promise<void> {
  const first = await metadataOnly(t, resolved.owner)
  const alone = await contents(t, resolved, first)
  const flags = { org_metadata_only: true, exclude_metadata: true, exclude_git_data: true }
  const started = await t.shared('migration with org_metadata_only and others', (shared) =>
    start(shared, resolved.owner, [], flags),
  )
  if (started.id === first.id) t.untested('two different migrations were started under one id')
  const beside = await contents(t, resolved, started)
  const there = parts.filter((part) => amountOf(alone.inspection, part) > 0)
  const lost = there.filter((part) => amountOf(beside.inspection, part) === 0)
  if (lost.length > 0) t.deviation({ expected: there.join(', '), actual: `no ${lost.join(', ')}`, exchanges: [beside.answer] })
  t.examined(there.length)
}
