/** The longest text of a target's value in a sentence. */
const limit = 160

/** A value of the target for use in a sentence: as JSON, without control characters, cut to a limit. */
export function show(value: unknown) {
  if (value === undefined) return 'nothing'
  return cut(printable(JSON.stringify(value) ?? String(value)), limit)
}

/** A text of at most `limit` characters; an ellipsis replaces the rest. */
export function cut(text: string, limit: number) {
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

/** Control characters, and characters that are invisible or change the direction of text. */
const unprintable = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufffe\uffff]/gu

/** Text of the target. Every character is escaped that a terminal or a reader of markup would interpret. */
export function printable(text: string) {
  return text.replace(
    unprintable,
    // Beyond U+FFFF, JSON escapes a character by its two units.
    (character) => character.split('').map(escapedUnit).join(''),
  )
}

const escapedUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Text of the target with several lines. Like {@link printable}, but the line breaks stay. */
export function printableLines(text: string) {
  return text.toWellFormed().replace(/[^\n\t]+/g, printable)
}

/** A text of the target as it was sent, such as the value of a header. Marks replace white space that readers overlook. */
export function asSent(text: string) {
  const marked = text.replace(/^ +| +$| {2,}/g, (blanks) => '␣'.repeat(blanks.length))
  return text === '' ? 'an empty value' : cut(printable(marked.replaceAll('\t', '⇥')), limit)
}

/** A number with separated thousands: `1,629`. */
export function grouped(number: number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A number with its noun: `1 check`, `2,257 checks`. */
export function counted(count: number, noun: string) {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** A number of bytes: `4 kB`, `69.9 MB`. */
export function size(bytes: number) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** A time in milliseconds as minutes and seconds. */
export function duration(milliseconds: number) {
  const whole = Math.round(milliseconds / 1000)
  return whole < 60
    ? `${(milliseconds / 1000).toFixed(1)} s`
    : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
