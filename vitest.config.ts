import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The folders whose tests take longest, the slowest first. */
const slow = ['/fixtures/proof/areas/', '/fixtures/']

/** Begins with the slow folders, so that no thread is left with a long test at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => slow.findIndex((folder) => moduleId.includes(folder)) + 1 || slow.length + 1
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    include: ['{src,suites,schemas,fixtures}/**/*.test.ts'],
    globalSetup: ['fixtures/package/build-client.mjs'],
    pool: 'threads',
    isolate: false,
    // One more than most build machines have processors: several files wait for processes that they start.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // A proof uses real sockets; on a busy build machine a request may reach its time-out once.
    retry: process.env.CI ? 1 : 0,
    // Far above the time of any test, because other work on the machine must not fail one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
