import { createHash } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Decides the order of files and tests; the runner prints it. `TEST_SEED=7 npm test` repeats an order. */
const seed = Number(process.env.TEST_SEED ?? Date.now() % 100_000)

/** The tests that take longest, the slowest first: those that judge many faults or start tools, commands and browsers, and the other proofs. */
const slow = [
  /\/fixtures\/(package\/|proof\/(areas\/|echoed|runs\/(whole-world|law-of-time|permissions-side)|targets\/(dialect|dumb|hostile)))/,
  /\/src\/(cli|commands|doctor|report\/html)/,
  /\/fixtures\//,
]

/** Begins with the slow tests, so that no thread is left with a long one at the end; the seed decides the order within them. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => slow.findIndex((path) => path.test(moduleId)) + 1 || slow.length + 1
    const draw = ({ moduleId }: TestSpecification) => createHash('sha256').update(`${seed} ${moduleId}`).digest('hex')
    return files.toSorted((a, b) => rank(a) - rank(b) || draw(a).localeCompare(draw(b)))
  }
}

export default defineConfig({
  test: {
    include: ['{src,suites,schemas,fixtures}/**/*.test.ts'],
    setupFiles: ['fixtures/house/forget-secrets.ts'],
    globalSetup: ['fixtures/package/build-assets.mjs'],
    pool: 'threads',
    isolate: false,
    // Twice the processors of a small build machine, because many tests wait for a clock, a browser or a process.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst, shuffle: { tests: true }, seed },
    // Far above the time of any test, because other work on the machine must not fail one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
