import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../package/root.ts'
import { emptyCategories, permissionCategories, permissionRows, slugOf } from './permissions.ts'

describe('the permission matrix', () => {
  test('the permission matrix has the 88 rows of the document in 25 categories', () => {
    expect([permissionRows.length, permissionCategories.length]).toEqual([88, 25])
  })

  test('the permission matrix contains each row once', () => {
    expect(new Set(permissionRows.map(({ id }) => id)).size).toBe(permissionRows.length)
    expect(new Set(permissionRows.map(({ method, path }) => `${method} ${path}`)).size).toBe(permissionRows.length)
  })

  test('the permission matrix treats GET as read access and every other method as write access', () => {
    expect(permissionRows.filter(({ method, access }) => (method === 'GET') !== (access === 'read'))).toEqual([])
  })

  test('the permission matrix allows installations on 41 rows and fine-grained tokens on all but 11', () => {
    expect(permissionRows.filter(({ kinds }) => kinds.includes('app-installation'))).toHaveLength(41)
    expect(permissionRows.filter(({ kinds }) => !kinds.includes('fine-grained'))).toHaveLength(11)
    expect(permissionRows.filter(({ kinds }) => !kinds.includes('app-user'))).toEqual([])
  })

  test('the permission matrix lists categories without endpoints separately from the others', () => {
    expect([16, 23, 2, 1]).toEqual(
      [emptyCategories.organization, emptyCategories.repository, emptyCategories.user, emptyCategories.enterprise].map(
        ({ length }) => length,
      ),
    )
    const listed = permissionCategories.map(({ owner, slug }) => `${owner}.${slug}`)
    const empty = (['organization', 'repository', 'user'] as const).flatMap((owner) =>
      emptyCategories[owner].map((title) => `${owner}.${slugOf(title)}`),
    )
    expect(empty.filter((name) => listed.includes(name))).toEqual([])
  })

  test('the permission matrix is contained in docs/areas/permissions.md, category by category', () => {
    const guide = readFileSync(join(packageRoot, 'docs', 'areas', 'permissions.md'), 'utf8')
    const missing = permissionCategories.filter(
      ({ owner, title, slug, rows }) => !guide.includes(`| ${owner} | ${title} | \`${slug}\` | ${rows.length} |`),
    )
    expect(missing).toEqual([])
  })
})
