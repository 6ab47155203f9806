/** Milliseconds as minutes and seconds. */
export function duration(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000)
  return whole < 60 ? seconds(milliseconds) : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** Milliseconds as a reader's seconds. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
