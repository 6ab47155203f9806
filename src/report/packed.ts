import type { ExchangeRecord, HeaderLine } from '../record/exchange-record.ts'
import type { Report } from '../record/report.ts'

/** A report as its file stores it: thousands of exchanges have the same header lines, and each is written once. */
export interface PackedReport extends Omit<Report, 'exchanges'> {
  exchanges: PackedExchange[]
  /** Absent in records that keep all lines in place. */
  headerLines?: HeaderLine[]
}

/** A number is the place of a line in `headerLines`, from 0. */
type PackedLine = HeaderLine | number
type Packed<Part extends { headers: HeaderLine[] }> = Omit<Part, 'headers'> & { headers: PackedLine[] }
type PackedExchange = Omit<ExchangeRecord, 'request' | 'response'> & {
  request: Packed<ExchangeRecord['request']>
  response: Packed<ExchangeRecord['response']>
}

/** The stored form of a report. */
export function packReport(report: Report): PackedReport {
  const places = new Map<string, number>()
  const headerLines: HeaderLine[] = []
  const place = (line: HeaderLine) => {
    const key = JSON.stringify(line)
    const known = places.get(key) ?? headerLines.push(line) - 1
    places.set(key, known)
    return known
  }
  const exchanges = report.exchanges.map((exchange) => ({
    ...exchange,
    request: { ...exchange.request, headers: exchange.request.headers.map(place) },
    response: { ...exchange.response, headers: exchange.response.headers.map(place) },
  }))
  return { ...report, exchanges, headerLines }
}

/** A report from its stored form; a place that the table does not have is left out. */
export function unpackReport({ headerLines = [], ...record }: PackedReport): Report {
  const line = (packed: PackedLine): HeaderLine[] => {
    const found = typeof packed === 'number' ? headerLines[packed] : packed
    return found ? [found] : []
  }
  const exchanges = record.exchanges.map((exchange) => ({
    ...exchange,
    request: { ...exchange.request, headers: exchange.request.headers.flatMap(line) },
    response: { ...exchange.response, headers: exchange.response.headers.flatMap(line) },
  }))
  return { ...record, exchanges }
}
