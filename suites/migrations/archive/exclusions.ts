import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { archiveNeeds, contents, flagged, metadataOnly, plain } from '../common/migration-state.ts'
import { itemsOf } from './contents.ts'
import { togetherChecks } from './flags-together.ts'
import { amountOf, type Exclusion, exclusions, isDeclared, type Part, parts } from './parts.ts'

type Needs = Resolved<typeof archiveNeeds>

/** Objects that belong to a repository rather than to an organisation. */
const ofRepositories: readonly Part[] = [
  'attachments',
  'commit_comments',
  'issue_comments',
  'issue_events',
  'issues',
  'milestones',
  'protected_branches',
  'pull_request_reviews',
  'pull_requests',
  'releases',
  'repositories',
  'review_comments',
  'attachments/',
  'repositories/',
]

/** Each flag of the body by what it does to the archive. */
export function excludeChecks(id: string): Check[] {
  return [
    ...exclusions.flatMap((exclusion) => [keptOut(id, exclusion), restStays(id, exclusion)]),
    ownerProjects(id),
    ...togetherChecks(id),
    restStays(id, { flag: 'exclude_owner_projects', out: [], open: ['projects'] }),
    check({
      id: `${id}.org-metadata-only`,
      requirement: 'migrations.archive.org-metadata-only',
      level: 'must',
      title: 'omits repository data with org_metadata_only',
      needs: archiveNeeds,
      writes: true,
      slow: true,
      run: async (t, resolved) => {
        const { inspection, answer } = await contents(t, resolved, await metadataOnly(t, resolved.owner))
        const present = ofRepositories.filter((part) => amountOf(inspection, part) > 0)
        if (present.length > 0) t.deviation({ expected: 'no repository data', actual: present.join(', '), exchanges: [answer] })
        t.examined(1)
      },
    }),
  ]
}

function keptOut(id: string, { flag, out }: Exclusion): Check {
  return check({
    id: `${id}.${flag.replaceAll('_', '-')}`,
    requirement: 'migrations.archive.exclusions',
    level: 'must',
    title: `omits the data that ${flag} names`,
    needs: archiveNeeds,
    writes: true,
    run: async (t, resolved) => {
      const { whole, reduced } = await both(t, resolved, flag)
      const there = out.filter((part) => amountOf(whole.inspection, part) > 0)
      if (there.length === 0) t.untested(`the repository has no data that ${flag} could exclude`, 'exportable-repository')
      const present = out.filter((part) => amountOf(reduced.inspection, part) > 0)
      if (present.length > 0) {
        t.deviation({ expected: `no ${out.join(', ')}`, actual: present.join(', '), exchanges: [reduced.answer] })
      }
      t.examined(there.length)
    },
  })
}

function restStays(id: string, { flag, out, open }: Exclusion): Check {
  return check({
    id: `${id}.${flag.replaceAll('_', '-')}-rest`,
    requirement: 'migrations.archive.exclusions',
    level: 'must',
    title: `keeps all other data with ${flag}`,
    needs: archiveNeeds,
    writes: true,
    run: async (t, resolved) => {
      const { whole, reduced } = await both(t, resolved, flag)
      const declared = parts.filter((part) => isDeclared(resolved.repository, part))
      const stays = declared.filter((part) => amountOf(whole.inspection, part) > 0 && ![...out, ...open].includes(part))
      const lost = stays.filter((part) => amountOf(reduced.inspection, part) === 0)
      if (lost.length > 0)
        t.deviation({ expected: stays.join(', '), actual: `no ${lost.join(', ')}`, exchanges: [reduced.answer] })
      const removed = [...out, ...open].some((part) => amountOf(reduced.inspection, part) < amountOf(whole.inspection, part))
      if (!removed) t.untested(`the archives with and without ${flag} do not differ, so the flag cannot have removed other data`)
      t.examined(stays.length)
    },
  })
}

/** Projects may also belong to the repository; which ones are the owner's must be declared. */
function ownerProjects(id: string): Check {
  return check({
    id: `${id}.exclude-owner-projects`,
    requirement: 'migrations.archive.exclusions',
    level: 'must',
    title: 'omits the projects of the owner with exclude_owner_projects',
    needs: archiveNeeds,
    writes: true,
    run: async (t, resolved) => {
      const { ownerProjects } = resolved.repository
      if (!ownerProjects) return t.untested('exportable-repository declares no ownerProjects', 'exportable-repository')
      const { whole, reduced } = await both(t, resolved, 'exclude_owner_projects')
      const before = itemsOf(whole.inspection, 'projects')
      if (before === 0) t.untested('the archive contains no projects even without the flag', 'exportable-repository')
      const most = ownerProjects === true ? 0 : Math.max(0, before - ownerProjects)
      const left = itemsOf(reduced.inspection, 'projects')
      if (left > most) t.deviation({ expected: `at most ${most} projects`, actual: String(left), exchanges: [reduced.answer] })
      t.examined(1)
    },
  })
}

/** The archive without flags and the one with this flag. */
async function both(t: CheckContext, resolved: Needs, flag: string) {
  const whole = await contents(t, resolved, await plain(t, resolved))
  return { whole, reduced: await contents(t, resolved, await flagged(t, resolved, flag)) }
}
