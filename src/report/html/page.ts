import type { RunRecords } from '../records.ts'

/** `report.html`. */
export function renderHtml(_: RunRecords): string {
  return ''
}
