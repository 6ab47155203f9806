import type { MatrixCell } from '../../src/record/check-record.ts'
import type { TokenKind } from '../../src/spec/needs.ts'

/** The heat map's cell of a token kind that an area's endpoints refuse (document: Authentication, rules 5 and 6). */
export function classicOnly(area: 'notifications' | 'migrations', kind: TokenKind): MatrixCell {
  return { owner: area, category: 'classic tokens only', kind, access: 'none', expects: 'refused' }
}
