/** Something that was made on the target, and how it is undone. */
export interface Made {
  readonly what: string
  readonly undo: () => Promise<unknown>
}

/** Removes what was made, the latest first; what cannot be removed is named in `leftBehind`, never red. */
export async function undoAll(made: Made[], leftBehind: string[]): Promise<void> {
  for (const { what, undo } of made.splice(0).reverse()) {
    try {
      await undo()
    } catch {
      leftBehind.push(what)
    }
  }
}
