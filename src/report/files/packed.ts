import type { CheckRecord, MatrixCell } from '../../record/check-record.ts'
import type { ExchangeRecord, HeaderLine } from '../../record/exchange-record.ts'
import type { PermissionCell, Report } from '../../record/version-report.ts'

/** A report as its file stores it: what thousands of checks and exchanges have in common is written once. */
export interface PackedReport extends Omit<Report, 'checks' | 'requirements' | 'exchanges'> {
  checks: PackedCheck[]
  requirements: PackedRequirement[]
  exchanges: PackedExchange[]
  /** Absent in records that keep all lines in place. */
  headerLines?: HeaderLine[]
  /** Absent in records that keep all texts in place. */
  texts?: string[]
}

type Requirement = Report['requirements'][number]
/** A number is the place of a text in `texts`, of a line in `headerLines`, of a check in `checks` or of a cell in `permissions`, from 0. */
type Placed<Value> = Value | number
type Packed<Part extends { headers: HeaderLine[] }> = Omit<Part, 'headers'> & { headers: Placed<HeaderLine>[] }
type PackedCheck = Omit<CheckRecord, 'section' | 'detail' | 'missing' | 'matrix'> &
  Partial<Pick<CheckRecord, 'detail' | 'missing'>> & { section: Placed<string>; matrix?: Placed<MatrixCell> }
type PackedRequirement = Omit<Requirement, 'checks'> & { checks: Placed<string>[] }
type PackedExchange = Omit<ExchangeRecord, 'endpoint' | 'as' | 'request' | 'response'> & {
  endpoint: Placed<string>
  as: Placed<string>
  /** The method is absent where it is that of the endpoint. */
  request: Omit<Packed<ExchangeRecord['request']>, 'method'> & { method?: string }
  /** `body` and `truncated` are absent where the run kept nothing of the body. */
  response: Omit<Packed<ExchangeRecord['response']>, 'bodySha256' | 'truncated'> & {
    bodySha256: Placed<string>
    truncated?: boolean
  }
}

/** The stored form of a report. */
export function packReport(report: Report): PackedReport {
  const [lines, texts] = [new Table<HeaderLine>(), new Table<string>()]
  const places = new Map(report.checks.map(({ id }, place) => [id, place]))
  const cells = new Map(report.permissions.map((cell, place) => [cellKey(cell.row, matrixOf(cell)), place]))
  return {
    ...report,
    checks: report.checks.map((check) => packCheck(check, cells, texts)),
    requirements: report.requirements.map((each) => ({ ...each, checks: each.checks.map((id) => places.get(id) ?? id) })),
    exchanges: report.exchanges.map((exchange) => packExchange(exchange, report.target, lines, texts)),
    headerLines: lines.items,
    texts: texts.items,
  }
}

/** A report from its stored form; a place that its table does not have is left out. */
export function unpackReport({ headerLines = [], texts = [], ...packed }: PackedReport): Report {
  const text = (placed: Placed<string>) => (typeof placed === 'number' ? (texts[placed] ?? '') : placed)
  const lines = (placed: Placed<HeaderLine>[]) =>
    placed.flatMap((line) => (typeof line === 'number' ? headerLines.slice(line, line + 1) : [line]))
  const ids = (placed: Placed<string>[]) =>
    placed.flatMap((check) => (typeof check === 'number' ? (packed.checks[check]?.id ?? []) : check))
  return {
    ...packed,
    checks: packed.checks.map((check) => unpackCheck(check, packed.permissions, text)),
    requirements: packed.requirements.map((each) => ({ ...each, checks: ids(each.checks) })),
    exchanges: packed.exchanges.map((exchange) => unpackExchange(exchange, packed.target, lines, text)),
  }
}

function packCheck(record: CheckRecord, cells: ReadonlyMap<string, number>, texts: Table<string>): PackedCheck {
  const check: PackedCheck = { ...record, section: texts.place(record.section) }
  if (record.detail === '') delete check.detail
  if (record.missing?.length === 0) delete check.missing
  if (record.matrix) check.matrix = cells.get(cellKey(record.endpoint, record.matrix)) ?? record.matrix
  return check
}

/** Members come in the order in which a run writes them: what is made from either form is the same to the byte. */
function unpackCheck(
  check: PackedCheck,
  cells: readonly PermissionCell[],
  text: (placed: Placed<string>) => string,
): CheckRecord {
  const { id, title, area, endpoint, section, level, requirements, outcome, subjects, detail = '', missing = [], ...rest } = check
  const head = { id, title, area, endpoint, section: text(section), level, requirements, outcome, subjects, detail, missing }
  const record = { ...head, ...rest } as CheckRecord
  if (typeof rest.matrix !== 'number') return record
  const matrix = matrixOf(cells[rest.matrix])
  if (matrix) return { ...record, matrix }
  delete record.matrix
  return record
}

/** What the check of a cell expects, as far as what was seen tells it. */
function matrixOf(cell: PermissionCell | undefined): MatrixCell | undefined {
  if (cell === undefined || cell.cell === 'undecided') return undefined
  const { owner, category, tokenKind: kind, access } = cell
  const expects = cell.cell === 'granted' || cell.cell === 'too-restrictive' ? 'granted' : 'refused'
  return { owner, category, kind, access: access as MatrixCell['access'], expects }
}

/** Tells cells apart; the check of one is on its row. */
function cellKey(row: string, matrix: MatrixCell | undefined): string {
  return JSON.stringify([row, matrix?.owner, matrix?.category, matrix?.kind, matrix?.access, matrix?.expects])
}

function packExchange(
  { endpoint, as, request: { method, ...request }, response, ...rest }: ExchangeRecord,
  { baseUrl }: Report['target'],
  lines: Table<HeaderLine>,
  texts: Table<string>,
): PackedExchange {
  const { body, truncated, ...head } = response
  const isKept = body !== '' || truncated !== response.bodyBytes > 0
  return {
    ...rest,
    endpoint: texts.place(endpoint),
    as: texts.place(as),
    request: {
      ...(methodOf(endpoint) === method ? {} : { method }),
      ...request,
      url: request.url.startsWith(`${baseUrl}/`) ? request.url.slice(baseUrl.length) : request.url,
      headers: request.headers.map((line) => lines.place(line)),
    },
    response: {
      ...head,
      headers: response.headers.map((line) => lines.place(line)),
      bodySha256: texts.place(response.bodySha256),
      ...(isKept ? { ...(body === undefined ? {} : { body }), truncated } : {}),
    },
  }
}

function unpackExchange(
  { id, endpoint: placed, as, request, response, durationMs }: PackedExchange,
  { baseUrl }: Report['target'],
  lines: (placed: Placed<HeaderLine>[]) => HeaderLine[],
  text: (placed: Placed<string>) => string,
): ExchangeRecord {
  const endpoint = text(placed)
  const { method = methodOf(endpoint), ...sent } = request
  const { status, bodyBytes, truncated = bodyBytes > 0, body = response.truncated === undefined ? '' : undefined } = response
  return {
    id,
    endpoint,
    as: text(as),
    request: { method, ...sent, url: sent.url.startsWith('/') ? baseUrl + sent.url : sent.url, headers: lines(sent.headers) },
    response: {
      status,
      headers: lines(response.headers),
      ...(body === undefined ? {} : { body }),
      bodyBytes,
      bodySha256: text(response.bodySha256),
      truncated,
    },
    durationMs,
  }
}

function methodOf(endpoint: string): string {
  return endpoint.slice(0, endpoint.indexOf(' '))
}

/** Values that are each kept once. */
class Table<Item> {
  readonly items: Item[] = []
  readonly #places = new Map<string, number>()

  /** The place of a value, from 0. */
  place(item: Item): number {
    const key = JSON.stringify(item)
    const place = this.#places.get(key) ?? this.items.push(item) - 1
    this.#places.set(key, place)
    return place
  }
}
