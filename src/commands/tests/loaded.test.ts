import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { packageRoot } from '../../package/root.ts'

/** The files that a module of the build loads immediately, selected by a part of their path. */
function loadedBy(module: string, part: RegExp) {
  const hooks = 'export async function load(url, ...more) { console.log(url); return more[1](url, more[0]) }'
  const register = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hooks)}')`
  const file = pathToFileURL(join(packageRoot, 'dist', module)).href
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(register)}`,
    '--input-type=module',
    '-e',
    `await import('${file}')`,
  ]
  return execFileSync(process.execPath, args, { encoding: 'utf8' })
    .split('\n')
    .filter((url) => part.test(url))
}

test.each(['src/commands/common/judge-and-report.js'])('%s loads no module that most runs leave unused', (module) => {
  expect(loadedBy(module, /fixtures\/reference|node_modules\/(tar|@streamparser)/)).toEqual([])
  expect(loadedBy(module, /node_modules\/undici/)).not.toEqual([])
})
