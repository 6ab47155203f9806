/** Why a run cannot begin, in one sentence that ends with the next step. */
export interface Obstacle {
  /** `configuration`: the configuration must change (exit code 2); `unreachable`: the target must respond (exit code 3). */
  readonly kind: 'configuration' | 'unreachable'
  readonly sentence: string
}
