const forms: readonly ((secret: string) => string | readonly string[])[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) => encodeURIComponent(secret).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  inJson,
  (secret) => inJson(secret).replaceAll('/', '\\/'),
  inHtml,
  within64,
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  (secret) => [...secret].reverse().join(''),
]

/**
 * Every text that reveals a secret: the secret itself, a part of it, and its forms in URLs, JSON, HTML, base64, base64url and hexadecimal
 * digits, and reversed. Base64 also reveals it within a longer text. Longer texts come first.
 */
export function formsOf(secret: string): string[] {
  const whole = forms.flatMap((form) => form(secret))
  return [...new Set([...whole, ...parts(secret)])].sort((a, b) => b.length - a.length)
}

/** Two thirds of a secret reveal it. Those of a short secret could be ordinary words. */
function parts(secret: string): string[] {
  const length = Math.ceil((secret.length * 2) / 3)
  return secret.length < 16 ? [] : [secret.slice(0, length), secret.slice(-length)]
}

function inJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function inHtml(secret: string): string {
  return secret.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** Base64 of a longer text with the secret: for each of three shifts, the characters that depend on the secret alone. */
function within64(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const certain = whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
    const alone = shift === 0 ? [bytes.toString('base64'), whole] : []
    return [...alone, certain].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
  })
}
