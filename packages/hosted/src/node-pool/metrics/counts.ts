import { labelsText } from '../../metrics/series.ts'
import { headerOf } from './families.ts'
import type { Figures } from './figures.ts'
import { platforms } from './readings.ts'

/** Figures about all pools together, kept as pools come, change and go: each pool has a dozen conditions, too many to count anew at each scrape. */
export class Counts {
  readonly #platforms = new Map<string, number>(platforms.map((platform) => [platform, 0]))
  /** By platform, then by condition. */
  readonly #failures = new Map<string, Map<string, number>>()

  add(figures: Figures): void {
    this.#count(figures, 1)
  }

  remove(figures: Figures): void {
    this.#count(figures, -1)
  }

  #count({ platform, failures }: Figures, by: 1 | -1): void {
    change(this.#platforms, platform, by)
    let known = this.#failures.get(platform)
    if (known === undefined) this.#failures.set(platform, (known = new Map<string, number>()))
    for (const condition of failures) change(known, condition, by)
  }

  get lines(): string {
    const failures = [...this.#failures].flatMap(([platform, conditions]) =>
      [...conditions].flatMap(([condition, pools]) =>
        pools === 0 ? [] : [`hypershift_nodepools_failure_conditions${labelsText({ platform, condition })} ${pools}\n`],
      ),
    )
    return [
      headerOf('hypershift_nodepools'),
      ...[...this.#platforms].map(([platform, pools]) => `hypershift_nodepools${labelsText({ platform })} ${pools}\n`),
      headerOf('hypershift_nodepools_failure_conditions'),
      ...failures,
    ].join('')
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
