/** An object on the target, and how it is removed. */
export interface Made {
  readonly what: string
  readonly undo: () => Promise<unknown>
}

/** Removes objects, the latest first. An object that cannot be removed is named in `leftBehind` and never fails a check. */
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
