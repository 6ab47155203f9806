/** The words of the suite's own reports, in lower case. */
let own = ''

/** Keeps the words of a text readable: a secret that is one of them is not hidden. */
export function keepReadable(text: string): void {
  own = text.toLowerCase()
}

/** The shortest secret that can be hidden. Shorter texts occur by chance in any body, and replacing them would garble reports. */
export const shortestHidden = 4

/** The longest secret that the schemas accept. Of a longer text from elsewhere, only this beginning is hidden. Characters. */
export const longestHidden = 4096

/** The public words with which tokens of one kind begin. */
const publicWords = /^(?:[a-z]+[_-])+/i

/** How many first characters of a secret say more than a common word and the public words of its kind. At most half of them. */
export function tellingBeginning(secret: string): number {
  const [words = ''] = publicWords.exec(secret) ?? []
  return tellingLength(secret, words.length, (length) => secret.slice(0, length))
}

/** How many last characters of a secret say more than a common word. At most half of them. */
export function tellingEnd(secret: string): number {
  return tellingLength(secret, 0, (length) => secret.slice(-length))
}

function tellingLength(secret: string, known: number, part: (length: number) => string): number {
  const half = Math.max(2 * shortestHidden, Math.ceil(secret.length / 2))
  let length = known + shortestHidden
  while (length < half && isCommon(part(length))) length += 1
  return Math.min(length, half)
}

/** True for a secret that cannot be hidden, because it is too short or a common word. Signs around a word do not make it rare. */
export function isCommon(secret: string): boolean {
  const word = secret.replaceAll(/^[^a-z\d]+|[^a-z\d]+$/gi, '').toLowerCase()
  return secret.length < shortestHidden || /^[a-z]{0,5}$/.test(word) || own.includes(word)
}
