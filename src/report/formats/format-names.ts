/** The formats by the names that `--format` accepts. */
export const formatNames = ['json', 'junit', 'html', 'markdown', 'sarif', 'ctrf', 'badge'] as const

export type FormatName = (typeof formatNames)[number]
