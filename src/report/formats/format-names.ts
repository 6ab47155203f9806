/** The formats by the names that `--format` accepts. */
export const formatNames = ['json', 'junit', 'html', 'markdown', 'sarif', 'ctrf', 'badge'] as const

/** The name of a report format: one of {@link formatNames}. */
export type FormatName = (typeof formatNames)[number]
