/** How a target's quota is read: `target.rateLimit` of the configuration. */
export interface QuotaProbe {
  readonly path: string
  /** JSON pointer to the number. */
  readonly pointer: string
  readonly counts: 'down' | 'up'
}
