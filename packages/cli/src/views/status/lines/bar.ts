const width = 20

/** Twenty cells, as many of them full as there are whole twentieths: a full bar means that all is done. */
export function progressBar(percent: number): string {
  const full = Math.floor((Math.min(100, Math.max(0, percent)) * width) / 100)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`
}
