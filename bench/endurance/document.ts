import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package/root.ts'
import type { Figures } from './figures.ts'
import type { MemoryFigures } from './one-hour.ts'
import type { Repetition } from './repeated-runs.ts'

/** Writes docs/endurance.md from the figures that are kept. */
export function writeEnduranceDocument({ embedded, poorNetwork, slow }: Figures): void {
  const text = `# Endurance

Written by \`npm run endurance\`: \`-- --runs 100\` judges the embedded reference server again and again, \`-- --poor-network 10\` judges it
over a poor network, \`-- --minutes 60\` judges it slowly. Runs of one build are added to each other, so that a hundred may be made in pieces;
those of another build, and the figures of a slow server, replace the former ones.

## The same outcome in every run

Each run has another seed, and so another order. Every check of every run is compared with that of the first one.

${embedded ? repetition(embedded) : 'Not measured yet.'}

## A poor network

A proxy in front of the server delays each answer by up to 200 ms, resets the connection of 1 % of the requests, half of them before the
server sees the request, and answers 1 % with 503 itself. Every check is compared with that of a run without the proxy.

${poorNetwork ? repetition(poorNetwork) : 'Not measured yet.'}

## A slow server

Each answer comes half a second later, and so few requests are sent a second that the run takes as long as it was told. A run keeps
outcomes, what its report says of the answers, and up to 64 MiB of answers for each version that checks share; so it takes more memory as
it advances, whatever its speed. Time alone must add nothing: in the end a slow run may have no more in use than a fast one.

${slow ? memory(slow) : 'Not measured yet.'}
`
  writeFileSync(join(packageRoot, 'docs/endurance.md'), text)
}

function repetition({ build, runs, checks, different, codes, seconds, network }: Repetition): string {
  const sorted = [...seconds].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  const rows = [
    ...(build === undefined ? [] : [['build', build]]),
    ['runs', `${runs}`],
    ['checks compared in each', `${checks}`],
    ['checks with another outcome, in all runs', `${different.length}`],
    [
      'exit codes',
      [...new Set(codes)].map((code) => `${code} (${codes.filter((each) => each === code).length} times)`).join(', '),
    ],
    ['seconds a run: median, longest', `${middle.toFixed(1)}, ${(sorted.at(-1) ?? 0).toFixed(1)}`],
    ...(network
      ? [
          ['requests', `${network.requests}`],
          ['reset before the server saw them', `${network.resetBefore}`],
          ['reset in place of their answer', `${network.resetAfter}`],
          ['answered 503 by the proxy', `${network.refused}`],
        ]
      : []),
  ]
  const list = different.length > 0 ? `\n\n${different.map((each) => `- ${printable(each)}`).join('\n')}` : ''
  return `${table(['', ''], rows)}${list}`
}

function memory({ slow, fast }: { readonly slow: MemoryFigures; readonly fast: MemoryFigures }): string {
  const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)}`
  const row = (name: string, of: MemoryFigures) => [
    name,
    `${of.code}`,
    `${Math.round(of.seconds)}`,
    mebibytes(of.used[0] ?? 0),
    mebibytes(Math.max(...of.used)),
    mebibytes(Math.max(...of.resident)),
    of.resident.map(mebibytes).join(', '),
  ]
  const head = [
    'server',
    'exit',
    'seconds',
    'in use at first, MiB',
    'in use at most, MiB',
    'resident at most, MiB',
    'resident by tenths of the run, MiB',
  ]
  return table(head, [row('slow', slow), row('fast', fast)])
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A sentence without the port that a server happened to have. */
function printable(sentence: string): string {
  return sentence.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')
}
