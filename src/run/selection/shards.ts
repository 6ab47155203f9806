import { createHash } from 'node:crypto'
import type { ShardRecord } from '../../record/run-record.ts'
import type { Check, Suite } from '../../suite/check.ts'
import { touchesOf } from '../../suite/touches.ts'
import { groupBy } from '../../text/data.ts'

/** A check with its suite. */
interface Placed {
  readonly check: Check
  readonly suite: Suite
}

/** One of several parts of a selection; `index` counts from 1. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/**
 * The checks of one shard, in order. Checks that must not run beside each other stay together, since the shards of a run may
 * judge the same target at the same time. The parts cost about the same.
 */
export function shardOf<Each extends Placed>(placed: readonly Each[], { index, of }: Shard): Each[] {
  const units = [...groupBy(placed, unitOf).values()].map((checks) => ({ checks, cost: sumOf(checks.map(costOf)) }))
  const parts = Array.from({ length: of }, () => ({ cost: 0, checks: new Set<Each>() }))
  for (const { checks, cost } of units.sort((a, b) => b.cost - a.cost)) {
    const lightest = parts.reduce((a, b) => (b.cost < a.cost ? b : a))
    lightest.cost += cost
    for (const check of checks) lightest.checks.add(check)
  }
  return placed.filter((each) => parts[index - 1]?.checks.has(each))
}

/** The shard in `run.json`, so that only shards of one selection are merged. */
export function shardRecord(whole: readonly Placed[], { index, of }: Shard): ShardRecord {
  const ids = whole.map(({ check }) => check.id).join('\n')
  return { index, of, selection: createHash('sha256').update(ids).digest('hex').slice(0, 16) }
}

/** The unit of a check: the inbox, the migrations, or the objects of a category; any other check is a unit by itself. */
function unitOf(placed: Placed): unknown {
  const { check, suite } = placed
  const [touch] = touchesOf(check, suite)
  const [whole = '', ...part] = touch?.what.split('/') ?? []
  if (whole === 'inbox' || whole === 'migrations') return whole
  if (part.length > 0 || touch?.how !== 'keeps') return touch?.what
  return placed
}

/** About how many requests a check sends. */
function costOf({ check }: Placed): number {
  if (check.slow) return 12
  return check.writes ? 4 : 2
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
