import type { GaugeName } from './gauges.ts'
import { type GaugeChange, hasSeries, noSeries, type Sample, type Series, withChange } from './series.ts'

/**
 * What the gauges of a process say now. Nothing is decided by it that is not also on record elsewhere: a process that starts anew starts with an
 * empty one.
 */
export class GaugeBoard {
  #series: Series = noSeries

  get series(): Series {
    return this.#series
  }

  change(change: GaugeChange): void {
    this.#series = withChange(this.#series, change)
  }

  /** What follows from what is stored: the same every time. */
  publish(samples: readonly Sample<GaugeName>[]): void {
    for (const sample of samples) this.change({ do: 'set', sample })
  }

  /** What was so when it was stored, and may have changed since: for a process that has said nothing of it yet. */
  publishMissing(samples: readonly Sample<GaugeName>[]): void {
    this.publish(samples.filter((sample) => !hasSeries(this.#series, sample)))
  }
}
