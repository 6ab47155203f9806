import { anonymous } from '../http/exchange/caller.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import type { Session } from '../run/judge/session.ts'
import { callersOf } from '../run/needs/tokens.ts'
import { permissionsHeader, versionHeader } from '../spec/words.ts'

/** Headers whose other names can be recognised: the key of a dialect, the document's name, and what other names look like. */
const headers = [
  { key: 'version', known: versionHeader, looksLike: /^(.*api-version)(?:-selected)?$/i },
  { key: 'permissions', known: permissionsHeader, looksLike: /^(x-accepted-.*permissions)$/i },
  { key: 'X-Poll-Interval', known: 'X-Poll-Interval', looksLike: /^(.*poll-interval)$/i },
] as const

/** Response headers whose values are names of headers. */
const naming = ['vary', 'access-control-allow-headers', 'access-control-expose-headers']

/** Names and media types of any other form or of this length are no words that a dialect should have. */
const headerForm = /^[A-Za-z][A-Za-z0-9-]{0,79}$/
const mediaTypeForm = /^application\/([\w.-]{1,60}\+)?json$/

/**
 * The lines of a dialect file that the signs of a target suggest: 406 for the usual media type, answers of another one, and other
 * names of headers. None where a target shows no sign, or has a dialect already. Nothing is changed.
 */
export async function dialectSigns(session: Session): Promise<readonly string[]> {
  const { config } = session.options
  if (config.target.dialect !== undefined) return []
  const as = callersOf(config.tokens, session.redactor)[0] ?? anonymous
  const ask = (accept?: string) =>
    session.client
      .send({ endpoint: session.dialect.probe, as, ...(accept === undefined ? {} : { accept }) })
      .catch(() => undefined)
  const usual = await ask()
  const refused = usual?.status === 406
  const answer = refused ? await ask('*/*') : usual
  return answer === undefined ? [] : [...headerLines(answer, usual), ...mediaTypeLines(answer, refused)]
}

function headerLines(answer: Exchange, usual: Exchange | undefined): string[] {
  const names = [answer, usual].flatMap((exchange) => (exchange ? namesIn(exchange) : []))
  const found = headers.flatMap(({ key, known, looksLike }) => {
    const others = names.flatMap((name) => looksLike.exec(name)?.[1] ?? [])
    const isKnown = others.some((name) => name.toLowerCase() === known.toLowerCase())
    return isKnown || others[0] === undefined ? [] : [`${key}: ${others[0]}`]
  })
  return found.length === 0 ? [] : [`headers: { ${found.join(', ')} }`]
}

/** Every name of a header that a response has or mentions. */
function namesIn({ response }: Exchange): string[] {
  const mentioned = response.headers.flatMap(([name, value]) =>
    naming.includes(name.toLowerCase()) ? value.split(/\s*,\s*/) : [],
  )
  return [...response.headers.map(([name]) => name), ...mentioned].filter((name) => headerForm.test(name))
}

/** The media type of the answer, where it is the target's own, or where the usual one was refused. */
function mediaTypeLines(answer: Exchange, refused: boolean): string[] {
  const [type = ''] = (answer.header('content-type') ?? '').toLowerCase().split(/\s*;/)
  const isOwn = type.includes('vnd.') && !type.includes('vnd.service')
  return mediaTypeForm.test(type) && (refused || isOwn) ? [`mediaType: ${type}`] : []
}
