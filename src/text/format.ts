/** The longest text of a target's value in a sentence. */
const limit = 160

/** A value from the target for use in a sentence: as JSON, control characters escaped, cut. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  return cut(printable(JSON.stringify(value) ?? String(value)), limit)
}

/** A text of at most `limit` characters; an ellipsis replaces the rest. */
export function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

/** Control characters, and those that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g

/** Text from the target with every character escaped that a terminal or a markup reader would act on. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Lines of text that every reader accepts: well formed, and every other character escaped that a terminal would act on. */
export function printableLines(text: string): string {
  return text.toWellFormed().replace(/[^\n\t]+/g, printable)
}

/** A number with its noun: `1 check`, `2 checks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Milliseconds as minutes and seconds. */
export function duration(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000)
  return whole < 60 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
