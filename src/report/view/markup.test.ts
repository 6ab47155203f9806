import { expect, test } from 'vitest'
import { code, text } from './markup.ts'

test.each([
  ['a name with display_login in it', 'a name with display_login in it'],
  ['_emphasis_ and *more*', '\\_emphasis\\_ and \\*more\\*'],
  ['<b>@someone</b> &amp;', '&#60;b&#62;&#64;someone&#60;/b&#62; &#38;amp;'],
  ['[a](b) #1 | c', '\\[a\\]\\(b\\) \\#1 \\| c'],
  ['see https://a.test or www.a.test: this', 'see https&#58;//a.test or www&#46;a.test: this'],
  ['\u001b[2J', '\\\\u001b\\[2J'],
])('the text %j means only itself', (line, markdown) => expect(text(line)).toBe(markdown))

test('a code span cannot be ended by its text', () => expect(code('a`b|c')).toBe("`a'b\\|c`"))
