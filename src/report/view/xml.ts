import { printable } from '../../text/format.ts'

/** Text for an XML attribute or element: markup escaped, and nothing in it that a reader would act on or that XML forbids. */
export function xml(text: string): string {
  return text
    .toWellFormed()
    .split('\n')
    .map(printable)
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
