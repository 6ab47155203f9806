/** The members of records that are times or durations. */
const times: readonly string[] = ['startedAt', 'durationMs', 'p50', 'p95', 'waited']

/** A copy of a record without its times, for comparing a run with its replay. */
export function withoutTimes<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => withoutTimes(item)) as Value
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !times.includes(name))
  return Object.fromEntries(members.map(([name, member]) => [name, withoutTimes(member)])) as Value
}
