/** The words of the suite's own reports, in lower case. */
let own = ''

/** Keeps the words of a text readable: a secret that is one of them is not hidden. */
export function keepReadable(text: string) {
  own = text.toLowerCase()
}

/** The shortest secret that can be hidden. Shorter texts occur by chance in any body, and replacing them would garble reports. */
export const shortestHidden = 4

/** The longest secret that the schemas accept. Of a longer text from elsewhere, only this beginning is hidden. Characters. */
export const longestHidden = 4096

/** The public words with which tokens of one kind begin. */
const publicWords = /^(?:[a-z]+[_-])+/i

/** True for a part of a secret that says more than a common word and than its first, public words. Half of a secret always does. */
export function isTelling(part: string, secret: string) {
  const [words = ''] = (secret.startsWith(part) && publicWords.exec(secret)) || []
  const isRare = part.length >= words.length + shortestHidden && !isCommon(part)
  return isRare || part.length >= Math.max(2 * shortestHidden, secret.length / 2)
}

/** True for a secret that cannot be hidden, because it is too short or a common word. Signs around a word do not make it rare. */
export function isCommon(secret: string) {
  const word = secret.replaceAll(/^[^a-z\d]+|[^a-z\d]+$/gi, '').toLowerCase()
  return secret.length < shortestHidden || /^[a-z]{0,5}$/.test(word) || own.includes(word)
}
