const forms: readonly ((secret: string) => string | readonly string[])[] = [
  (secret) => [secret, secret.toLowerCase(), secret.toUpperCase()],
  percentEncoded,
  (secret) => percentEncoded(secret).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  (secret) => JSON.stringify(secret).slice(1, -1),
  within64,
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  (secret) => [...secret].reverse().join(''),
]

/**
 * The texts that reveal a secret, the longest first. The secret occurs as it is, in lower or upper case as in the host of a URL, and
 * reversed. It occurs encoded for URLs, JSON, base64, base64url and hexadecimal digits. Base64 also reveals it within a longer text.
 * {@link unescaped} finds forms with other escapes.
 */
export function formsOf(secret: string) {
  return [...new Set(forms.flatMap((form) => form(secret)))].sort((a, b) => b.length - a.length)
}

/** The text as a part of a URL. It cannot contain half a character. */
function percentEncoded(text: string) {
  return encodeURIComponent(text.toWellFormed())
}

/** The base64 characters that depend on the secret alone, for each of its three positions within a longer text. */
function within64(secret: string) {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const certain = whole.slice(
      Math.ceil((shift * 8) / 6),
      Math.floor(((shift + bytes.length) * 8) / 6),
    )
    const alone = shift === 0 ? [bytes.toString('base64'), whole] : []
    return [...alone, certain].flatMap((text) => [
      text,
      text.replaceAll('+', '-').replaceAll('/', '_'),
    ])
  })
}

const escapes =
  /%(?:u00)?[0-9a-f]{2}|\\(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|[^\s\da-z])|&(?:#\d{1,7};?|#x[0-9a-f]{1,6};?|[a-z]+;)|(?:\r?\n|(?:\\r)?\\n)[ \t]*|\p{Cf}|\p{Default_Ignorable_Code_Point}|[^\P{Cc}\s]/giu
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  lowbar: '_',
  sol: '/',
}

/** The text without one layer of escapes, and the place of each character in the escaped one; undefined without escapes. */
export function unescaped(
  escaped: string,
): { text: string; placeOf: (at: number) => number } | undefined {
  const text = escaped.replace(escapes, characterOf)
  let places: Uint32Array | undefined
  const placeOf = (at: number) => {
    places ??= placesIn(escaped)
    return places[at] ?? escaped.length
  }
  return text === escaped ? undefined : { text, placeOf }
}

function placesIn(escaped: string) {
  const places = new Uint32Array(escaped.length + 1)
  let known = 0
  let copied = 0
  const copyUntil = (end: number) => {
    while (copied < end) places[known++] = copied++
  }
  for (const { 0: form, index } of escaped.matchAll(escapes)) {
    const { length } = characterOf(form)
    if (length > 1) continue
    copyUntil(index + length)
    copied = index + form.length
  }
  copyUntil(escaped.length + 1)
  return places
}

/** The character of an escape, none for an invisible one or a line break; the escape itself for a character that no header can carry. */
function characterOf(form: string) {
  const [, plain, hexadecimal, decimal, name] =
    /^(?:\\([^uxrn])|(?:%u?|\\u\{?|\\x|&#x)([\da-f]+)[};]?|&#(\d+);?|&([a-z]+);)$/i.exec(form) ?? []
  if (name !== undefined) return entities[name.toLowerCase()] ?? form
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return Number.isNaN(code) ? (plain ?? '') : code > 0xff ? form : String.fromCharCode(code)
}
