/** A record as it is written: indented, with a line break at its end. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
