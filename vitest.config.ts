import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begins the proofs and the tests of the package first, because they take longest. */
class ProofsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isProof = ({ moduleId }: TestSpecification) => /\/fixtures\/(proof|package)\//.test(moduleId)
    return [...sorted.filter(isProof), ...sorted.filter((file) => !isProof(file))]
  }
}

export default defineConfig({
  test: {
    include: ['{src,suites,schemas,fixtures}/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // One more than most build machines have processors: several files wait for processes that they start.
    maxWorkers: 3,
    sequence: { sequencer: ProofsFirst },
    // A proof uses real sockets; on a busy build machine a request may reach its time-out once.
    retry: process.env.CI ? 1 : 0,
    // Far above the time of any test, because other work on the machine must not fail one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
