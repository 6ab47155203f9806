import { expect, test } from 'vitest'
import { outputTo } from './streams.ts'

function written() {
  const texts: string[] = []
  const add = (text: string) => void texts.push(text)
  return { texts, output: outputTo({ print: add, warn: add }) }
}

test('an annotation is one command, for every quoted text', () => {
  const { texts, output } = written()
  output.annotate('::error title=a::b\n::warning::c\u001b[31m')
  expect(texts).toEqual(['::error title=a::b \\u003a:warning::c\\u001b[31m\n'])
})

test('no other text is a command', () => {
  const { texts, output } = written()
  output.print('::error::a\n')
  output.warn('note\n::error::b\n')
  output.progress.write('::error::c\n')
  output.progress.redraw('x\n::error::d')
  expect(texts.join('').replaceAll('\r\u001b[2K', '')).not.toMatch(/^\s*::/m)
})
