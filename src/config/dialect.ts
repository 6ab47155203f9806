import type { DialectFile } from '../http/dialect.ts'
import { UsageError } from '../text/usage-error.ts'

/** Refuses a dialect in which two neutral words share one wire word, in which case answers could not be told apart. */
export function checkDialect(dialect: DialectFile, file: string): void {
  for (const part of ['pathWords', 'fields', 'headers'] as const) {
    const seen = new Map<string, string>()
    for (const [neutral, wire] of Object.entries(dialect[part] ?? {})) {
      const other =
        seen.get(wire.toLowerCase()) ??
        (dialect[part] && wire !== neutral && Object.hasOwn(dialect[part], wire) ? wire : undefined)
      if (other !== undefined) {
        throw new UsageError(`${file}: ${part} clash: "${neutral}" and "${other}" would both be "${wire}" on the wire`)
      }
      seen.set(wire.toLowerCase(), neutral)
    }
  }
}
