import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest: first those that mostly wait for processes, beside which the others work, then the longest. */
const long = [
  'proof/accidents',
  'package/documentation',
  'proof/permissions',
  'proof/notifications',
  'proof/dumb-targets',
  'proof/events-faults',
  'proof/migrations',
  'proof/events',
  'proof/whole-world',
  'package/packed',
  'proof/replay',
  'commands/init-and-doctor',
  'proof/hostile-targets',
  'package/consumers',
]

/** Begins the longest files first, so that no thread is left with one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return found < 0 ? long.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'fixtures/**/*.test.ts', 'schemas/**/*.test.ts'],
    globalSetup: ['fixtures/package/build-client.mjs'],
    pool: 'threads',
    isolate: false,
    // One more than most build machines have processors: several files wait for processes that they start.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A proof talks to real sockets; on a starved build machine a request may run into its time-out once.
    retry: process.env.CI ? 1 : 0,
    // Far above what any test takes, because other work on the machine must not fail one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
