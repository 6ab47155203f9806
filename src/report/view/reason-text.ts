import { leftOutPhrases, type MissingNeed, plainPhrases, type Reason } from '../../record/reason.ts'

/** A few words for a reason, for tables and lists of counts: `response not usable`. */
export function phraseOf(reason: Reason): string {
  switch (reason.code) {
    case 'missing-need':
    case 'missing-token':
    case 'unfit-need':
      return reason.needs.map(needPhrase).join(', ')
    case 'left-out':
      return `left out: ${leftOutPhrases[reason.by]}`
    case 'throttled':
      return 'target throttles'
    case 'server-unavailable':
      return `server error ${reason.status}`
    case 'token-ended':
      return `token ${reason.caller} ended`
    case 'not-in-version':
      return `only in ${reason.versions.join(', ')}`
    case 'not-claimed':
      return `${reason.endpoint} not offered`
    case 'flaky':
      return `flaky: ${reason.outcomes.join(', ')}`
    case 'waived':
      return `waived until ${reason.until}: ${reason.because}`
    default:
      return plainPhrases[reason.code]
  }
}

/** `no token configured for the role owner`, `busy-user not provided`. */
export function needPhrase({ need, unfit }: Pick<MissingNeed, 'need' | 'unfit'>): string {
  if (unfit) return `${need} provided, but not suitable`
  if (need === 'token') return 'no suitable token configured'
  if (need.startsWith('token:')) return `no token configured for the role ${need.slice('token:'.length)}`
  return need.includes('.') ? `${need} not configured` : `${need} not provided`
}
