import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { threadId } from 'node:worker_threads'

// Loaded into each thread of a run (`--import`): appends the memory that the thread takes to the file MEMORY_SAMPLES, as lines of JSON.
// Nothing is collected for the resident memory; the memory in use is measured after a collection, at each of so many samples.
const { MEMORY_SAMPLES: file = '/dev/null', MEMORY_INTERVAL = '10000', MEMORY_COLLECT_EVERY = '30' } = process.env
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
let count = 0

setInterval(() => {
  count += 1
  const { rss, heapUsed, external } = process.memoryUsage()
  const used = count % Number(MEMORY_COLLECT_EVERY) === 0 ? usedNow() : undefined
  appendFileSync(file, `${JSON.stringify({ at: Date.now(), thread: threadId, rss, heap: heapUsed, external, used })}\n`)
}, Number(MEMORY_INTERVAL)).unref()

function usedNow(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
