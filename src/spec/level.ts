/** `must`: a deviation is red. `should`: a deviation is a warning, red only under `--strict`. */
export type Level = 'must' | 'should'
