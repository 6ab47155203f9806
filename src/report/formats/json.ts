import type { Report } from '../../record/version-report.ts'
import { packReport } from '../files/packed.ts'

/** A record as it is written: indented, with a line break at its end. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** `report.json`: each item of its lists on a line of its own, so that the file is short and two of them can be compared by line. */
export function reportJson(report: Report): string {
  const members = Object.entries(packReport(report)).map(([name, member]) => `  ${JSON.stringify(name)}: ${memberText(member)}`)
  return `{\n${members.join(',\n')}\n}\n`
}

function memberText(member: unknown): string {
  if (!Array.isArray(member) || member.length === 0) return JSON.stringify(member)
  return `[\n${member.map((item) => JSON.stringify(item)).join(',\n')}\n  ]`
}
