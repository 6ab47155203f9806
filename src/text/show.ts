/** The longest text of a target's value in a sentence. */
const limit = 160

/** A value from the target for use in a sentence: as JSON, control characters escaped, cut. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  return cut(printable(JSON.stringify(value) ?? String(value)), limit)
}

/** A text of at most `limit` characters; what is left out shows as an ellipsis. */
export function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

/** Control characters, and those that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/** Text from the target without anything that a terminal or a markup reader would act on. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
