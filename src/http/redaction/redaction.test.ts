import { describe, expect, test } from 'vitest'
import { isCommon, keepReadable } from './own-words.ts'
import { knownSecrets, Redactor } from './redaction.ts'

const secret = 'ghp/Se"cr+et=7f3a'

/** The code of a character in two hexadecimal digits. */
const hex = (sign: string) => sign.charCodeAt(0).toString(16)

function redactor(word = secret, label = 'OWNER_TOKEN') {
  const made = new Redactor()
  made.add(word, label)
  return made
}

/** The secret with each of its characters in another form. */
const spelled = (change: (sign: string) => string) => [...secret].map(change).join('')
const base64 = Buffer.from(secret).toString('base64')

describe('a secret', () => {
  test.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['in base64', base64],
    ['in base64 without padding', base64.replaceAll('=', '')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
    ['in upper-case hexadecimal digits', Buffer.from(secret).toString('hex').toUpperCase()],
    ['in HTML', secret.replaceAll('"', '&quot;')],
    ['in HTML by numbers', spelled((sign) => `&#${sign.charCodeAt(0)};`)],
    ['in HTML by hexadecimal numbers', spelled((sign) => `&#x${hex(sign).toUpperCase()};`)],
    ['with every character percent-encoded', spelled((sign) => `%${hex(sign)}`)],
    ['with some characters percent-encoded', secret.replaceAll('=', '%3D').replace('g', '%67')],
    ['as JSON escapes', spelled((sign) => `\\u00${hex(sign)}`)],
    ['in JSON for a page', secret.replaceAll('"', '\\u0022').replaceAll('/', '\\/')],
    ['in an address in JSON in a page', JSON.stringify(encodeURIComponent(secret)).replaceAll('"', '').replaceAll('%', '&#37;')],
    ['reversed', [...secret].reverse().join('')],
    ['in lower case, as the host of a URL', secret.toLowerCase()],
    ['in upper case', secret.toUpperCase()],
    ['with a backslash before each sign', secret.replaceAll(/\W/g, '\\$&')],
    ['in a text of JavaScript', spelled((sign) => `\\x${hex(sign)}`)],
    ['in braces', spelled((sign) => `\\u{${hex(sign)}}`)],
    ['in HTML by numbers without their ends', spelled((sign) => `&#${sign.charCodeAt(0)}`)],
    ['in a folded header', `${secret.slice(0, 7)}\r\n ${secret.slice(7)}`],
    ['in folded base64', base64.replace(/.{9}/, '$&\r\n')],
    ['in base64 of short lines', base64.replaceAll(/.{9}/g, '$&\n')],
    ['in base64 of short lines in JSON', base64.replaceAll(/.{9}/g, '$&\\n')],
    ['with a named entity', secret.replace('_', '&lowbar;').replace('/', '&sol;')],
    ['in two bytes for each character', [...secret].join('\0')],
    ['with an invisible character in it', `${secret.slice(0, 7)}\u200b${secret.slice(7)}`],
    ['with an invisible letter in it', `${secret.slice(0, 7)}\u115f${secret.slice(7)}`],
  ])('a secret is replaced %s', (_, spelling) => {
    const text = redactor().redact(`before ${spelling} after ${spelling}`)
    expect(text).toBe('before $OWNER_TOKEN after $OWNER_TOKEN')
  })

  test.each(['a:', 'ab:', 'abc:'])('a secret is replaced in the base64 of a longer text that begins with %s', (before) => {
    const whole = Buffer.from(`${before}${secret}:after`).toString('base64')
    const text = redactor().redact(whole)
    expect(text).toContain('$OWNER_TOKEN')
    expect(text.length).toBeLessThan(whole.length - secret.length / 2)
  })

  test('a secret is replaced in keys and strings of a JSON value at any depth', () => {
    expect(redactor().redactJson({ [secret]: [{ a: `x${secret}` }], n: 1, nothing: null, yes: true })).toEqual({
      $OWNER_TOKEN: [{ a: 'x$OWNER_TOKEN' }],
      n: 1,
      nothing: null,
      yes: true,
    })
  })

  test('a secret that contains another secret is replaced as a whole', () => {
    const made = redactor()
    made.add(`${secret}-long`, 'TOKEN_LONG')
    expect(made.redact(`${secret}-long ${secret}`)).toBe('$TOKEN_LONG $OWNER_TOKEN')
  })

  test('a secret at the end of a cut text does not reveal its beginning', () => {
    expect(redactor().redact(`got "${secret.slice(0, 9)}… in ${secret}`)).toBe('got "$OWNER_TOKEN… in $OWNER_TOKEN')
    expect(redactor().redact('got "something else…')).toBe('got "something else…')
    expect(redactor().redact(`got ${secret.slice(0, 9)}... and ${secret}...`)).toBe('got $OWNER_TOKEN... and $OWNER_TOKEN...')
    const escaped = spelled((sign) => `%${hex(sign)}`)
    expect(redactor().redact(`got ${escaped.slice(0, -5)}… and ${escaped.slice(0, -7)}…`)).toBe(
      'got $OWNER_TOKEN… and $OWNER_TOKEN…',
    )
  })

  const token = 'ghx_wR7fuQ2mona-events'

  test.each([
    ['some first characters', 'ghp/S...', '$OWNER_TOKEN...'],
    ['the common word before the first sign', 'ghp/…', 'ghp/…'],
    ['first characters of a token', 'key ghx_wR7f..., ghx_wR7…', 'key $KEY..., ghx_wR7…'],
    ['the public words of a token', 'ghx_...', 'ghx_...'],
    ['first characters without an ellipsis', 'ghx_wR7f.. ghx_wR7fu', 'ghx_wR7f.. ghx_wR7fu'],
    ['other characters', 'ghx_wR7g…', 'ghx_wR7g…'],
    ['some last characters', '…7f3a, ....t=7f3a.', '…$OWNER_TOKEN, ....$OWNER_TOKEN.'],
    ['last characters in JSON', '{"key":"\\u20267f3a"}', '{"key":"\\u2026$OWNER_TOKEN"}'],
    ['the common word at the end', '...events', '...events'],
    ['last characters with others', '…7f3ab …x7f3a …f3a', '…7f3ab …x7f3a …f3a'],
    ['both ends', 'ghp/Se...7f3a', '$OWNER_TOKEN...$OWNER_TOKEN'],
  ])('beside an ellipsis, %s: %s', (_, text, hidden) => {
    keepReadable('GET /events')
    const made = redactor()
    made.add(token, 'KEY')
    expect(made.redact(text)).toBe(hidden)
  })

  // A search whose time grows with the secret as well does not end within the time of a test.
  test.each(['ghx_', 'ghx_wR7f…', '…7f3a', '…'])('the ends of secrets are looked for in a long text of %s', (part) => {
    const made = redactor()
    for (let index = 0; index < 40; index += 1) made.add(`${token}${index}`, 'KEY')
    expect(made.redact(part.repeat(200_000))).not.toMatch(/7f/)
  })

  test('only the whole secret is replaced', () => {
    const text = `${secret.slice(0, -1)} ${secret.slice(1)} %67%68p`
    expect(redactor().redact(text)).toBe(text)
  })

  test('the text around a secret keeps its escapes', () => {
    expect(redactor().redact(`%20&amp;${encodeURIComponent(secret)}\\u0041%3D`)).toBe('%20&amp;$OWNER_TOKEN\\u0041%3D')
  })

  test.each(['events', 'Page-Advances', '"outcome"', 'passed!!', '2026-03-10'])('the common word %s stays readable', (word) => {
    keepReadable('GET /events events.public.page-advances 2026-03-10 outcome passed')
    expect(redactor(word).redact(`a ${word} b`)).toBe(`a ${word} b`)
    expect(isCommon(word)).toBe(true)
  })

  test('every secret is known to the output, regardless of who registered it', () => {
    redactor()
    expect(knownSecrets.redact(`x ${secret}`)).toBe('x $OWNER_TOKEN')
  })

  test('a secret that is too short to be unique changes no text', () => {
    expect(redactor('id').redact('{"id":"1"}')).toBe('{"id":"1"}')
  })
})

test('text remains unchanged when there is no secret', () => {
  expect(new Redactor().redact('ghp_x')).toBe('ghp_x')
  expect(new Redactor().redact('ghp_x…')).toBe('ghp_x…')
})

describe('a long secret', () => {
  const random = Array.from({ length: 500 }, (_, index) => ((index * 7919) % 1296).toString(36).padStart(2, '0')).join('')
  const cases = {
    random,
    repeated: 'a'.repeat(4096),
    'odd at its end': `${'a'.repeat(4095)}b`,
    'odd within': `${'a'.repeat(2040)}b${'c'.repeat(2055)}`,
  }

  test.each(Object.entries(cases))('is replaced: %s', (_, long) => {
    const made = redactor(long, 'LONG')
    expect(made.redact(`x ${long} ${encodeURIComponent(long)} ${long.slice(0, -1)}\u200b${long.slice(-1)} y`)).toBe(
      'x $LONG $LONG $LONG y',
    )
    expect(made.redact(`x ${long.slice(0, 3000)}… y`)).toBe('x $LONG… y')
    expect(made.redact(`x ${long.slice(0, 400)}z y`)).toBe(`x ${long.slice(0, 400)}z y`)
  })

  // A search whose time grows with the secret as well does not end within the time of a test.
  test.each(Object.entries(cases))('is looked for in a long text of its letters: %s', (_, long) => {
    const made = redactor(long, 'LONG')
    const text = `${'a'.repeat(4000)}! `.repeat(250)
    expect(made.redact(text)).toBe(text)
  })

  test('is hidden in its first 4,096 characters, if it is even longer', () => {
    expect(redactor(random.repeat(5), 'LONG').redact(random.repeat(5))).toBe(`$LONG${random.repeat(5).slice(4096)}`)
  })
})
