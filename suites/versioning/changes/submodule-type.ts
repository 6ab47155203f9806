import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { earlyLevel, partOf } from '../../../src/spec/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, type Resolved, reader } from '../../../src/suite/needs.ts'
import { topLevelOf } from '../../common/removable-objects.ts'
import { ofChange } from '../common/change.ts'
import { listingSpec, readOffered } from '../common/offered.ts'

const endpoint = changeEndpoints.contents
const needs = { reader: reader(), listing: need('submodule-listing') }
type Needs = Resolved<typeof needs>
const type = partOf(3, 'value')
const [submodule] = type.newer
const [file] = type.older
const { both, underLatest, underFirst } = ofChange(3, { id: 'versioning.contents', endpoint, needs })

/** Change 3: submodules in a directory listing have a type of their own (readings V18). */
export default both.suite([
  underLatest.check('submodule-type', `lists a submodule with type ${submodule}`, async (t, resolved) => {
    const entries = await submodules(t, resolved)
    if (resolved.listing.name !== undefined) t.expectAll(entries, 'submodule').satisfy(`type ${submodule}`, isSubmodule)
    else if (!entries.some(({ value }) => isSubmodule(value)))
      t.expectAll(entries, 'entry').satisfy('a submodule among the entries', isSubmodule)
    else t.examined(1)
  }),
  underFirst.check(
    'submodule-as-file',
    `lists a submodule with a type other than ${submodule}`,
    { level: earlyLevel(type) },
    async (t, resolved) => {
      const entries = await submodules(t, resolved)
      const expected = resolved.listing.name === undefined ? `no type ${submodule} yet` : `type ${file}`
      t.expectAll(entries, 'entry').satisfy(expected, (entry) =>
        resolved.listing.name === undefined ? !isSubmodule(entry) : entry.type === file,
      )
    },
  ),
])

function isSubmodule(entry: { readonly type?: unknown }): boolean {
  return entry.type === submodule
}

/** The entry that the need names, or every entry of the listing. */
async function submodules(t: CheckContext, needs: Needs) {
  const entries = topLevelOf(await readOffered(t, listingSpec(needs)))
  const { name } = needs.listing
  const named = entries.filter(({ value }) => name === undefined || value.name === name)
  return named.length > 0
    ? named
    : t.untested(`the listing has no entry ${name ?? ''}`, [{ need: 'submodule-listing', how: 'name an entry of the listing' }])
}
