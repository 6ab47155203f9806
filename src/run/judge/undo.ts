/** Something that was made on the target, and how it is undone. */
export interface Made {
  readonly what: string
  readonly undo: () => Promise<unknown>
}

/** Removes what was made, the latest first; what cannot be removed is named in `leftBehind`, never red. `onUndone` is told of the rest. */
export async function undoAll(made: Made[], leftBehind: string[], onUndone: (what: string) => void = () => {}): Promise<void> {
  for (const { what, undo } of made.splice(0).reverse()) {
    try {
      await undo()
      onUndone(what)
    } catch {
      leftBehind.push(what)
    }
  }
}
