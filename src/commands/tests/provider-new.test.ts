import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { drawnPort } from '../../../fixtures/samples/target/scripted-target.ts'
import { schemaNames } from '../../package/schemas.ts'

/** The needs of the suite itself; other tests of this process may add others. */
const builtIn = schemaNames().flatMap((name) => (name.startsWith('needs/') ? name.slice('needs/'.length) : []))

const { at, configure } = servedFolder('provider-new')
const programs: ChildProcess[] = []
afterAll(() => {
  for (const program of programs) program.kill()
})

/** Writes a starter, and returns the exit code, the output and the text of the file. */
async function starter(...words: string[]) {
  const out = at(`${Math.random()}.${words[0] === 'go' ? 'go' : 'mjs'}`)
  const { code, said } = await commandLine(['provider', 'new', ...words, '--out', out])
  return { code, out, said, text: code === 0 ? readFileSync(out, 'utf8') : '' }
}

/** The responses of a provider at an address or in a file. */
async function checked(provider: string) {
  const config = configure(`provider: ${provider}`)
  return (await commandLine(`provider check --verbose --config ${config}`)).out
}

describe('provider new', () => {
  test('has a function for every need, those of most checks first, with the members of the need', async () => {
    const { text, said, out } = await starter('node')
    const names = [...text.matchAll(/^ {2}'([a-z-]+)': async/gm)].map(([, name]) => name)
    expect([...names].sort()).toEqual(builtIn)
    const uses = [...text.matchAll(/^ {2}\/\/ ([\d,]+) checks?:/gm)].map(([, count]) => Number(count))
    expect(uses).toEqual([...uses].sort((a, b) => b - a))
    expect(text).toContain('// wanted: reason?, owner?, repo?, updatedAt?; returns: thread_id, owner?, repo?')
    expect(text).toContain(
      '// example: {"row":{"method":"PUT","path":"/orgs/{org}/blocks/{username}"}} is answered with {"path":',
    )
    expect(text).toContain('// example: {"change":19} is answered with [{"change":19,"method":"GET",')
    expect(text).toContain(`provider: ./${basename(out)}`)
    expect(said).toContain(`with ${names.length} functions to complete`)
  })

  test('chooses the needs, refuses an unknown one and keeps an existing file', async () => {
    const { text, out } = await starter('node', '--needs', 'gist', '--needs', 'user')
    expect(text.match(/async \(wanted\)/g)).toHaveLength(2)
    expect((await starter('python', '--needs', 'gits')).said).toContain('(did you mean "gist"?)')
    expect(await commandLine(`provider new node --out ${out}`)).toMatchObject({ code: 2 })
    expect(readFileSync(out, 'utf8')).toBe(text)
  })

  test('a starter for Node responds at once, and a completed function is used', async () => {
    const { out, text } = await starter('node')
    const completed = text.replace(/('public-repository': async \(wanted\) => ).*/, "$1({ owner: 'octo-org', repo: 'hello' }),")
    writeFileSync(out, completed)
    const said = await checked(out)
    expect(said).toMatch(/^given +public-repository .*{"owner":"octo-org","repo":"hello"}$/m)
    expect(said).toMatch(/^unsupported +unread-thread .* unread-thread is not written yet$/m)
    expect(said).not.toMatch(/^(wrong|failed|note)/m)
  })

  const can = (...words: string[]) => spawnSync(words[0] ?? '', words.slice(1), { stdio: 'ignore' }).status === 0
  const programsOf = {
    python: {
      isThere: can('python3', '--version'),
      start: (file: string) => spawn('python3', [file], { stdio: 'ignore' }),
      unwritten: (name: string) => `raise Unsupported("${name} is not written yet")`,
      written: 'return {"owner": "a", "repo": "b"}',
      broken: ['return {}["no"]', 'KeyError'],
    },
    go: {
      isThere: can('go', 'version'),
      start(file: string) {
        const program = file.replace(/\.go$/, '.exe')
        expect(spawnSync('go', ['build', '-o', program, file], { encoding: 'utf8' })).toMatchObject({ status: 0 })
        return spawn(program, { stdio: 'ignore' })
      },
      unwritten: (name: string) => `return nil, unsupported("${name} is not written yet")`,
      written: 'return object{"owner": "a", "repo": "b"}, nil',
      broken: ['return nil, json.Unmarshal([]byte("{"), &wanted)', 'unexpected end of JSON input'],
    },
  } as const

  describe.each(['python', 'go'] as const)('a starter for %s', (language) => {
    const { isThere, start, unwritten, written, broken } = programsOf[language]
    test.runIf(isThere)('responses at once, and a completed function is used', async () => {
      const { out, text } = await starter(language)
      const port = drawnPort()
      const returned = text.replace(unwritten('public-repository'), written).replace(unwritten('gist'), broken[0])
      writeFileSync(out, returned.replaceAll('8901', String(port)))
      programs.push(start(out))
      while (!(await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))) await delay(100)
      const said = await checked(`http://127.0.0.1:${port}`)
      expect(said).toMatch(/^given +public-repository .*{"owner":"a","repo":"b"}$/m)
      expect(said).toMatch(/^unsupported +unread-thread .* unread-thread is not written yet$/m)
      expect(said).toMatch(new RegExp(`^failed +gist .*${broken[1]}`, 'm'))
      expect(said).not.toMatch(/^(wrong|note)/m)
    })
  })
})
