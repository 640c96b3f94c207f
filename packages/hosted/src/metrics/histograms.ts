import { Buckets } from '@windlass/kube'
import { labelsText } from './series.ts'

/** A histogram with one label. */
export class LabelledHistogram {
  readonly #name: string
  readonly #label: string
  readonly #bounds: readonly number[]
  readonly #buckets = new Map<string, Buckets>()

  constructor(name: string, family: { readonly labels: readonly [string]; readonly buckets: readonly number[] }) {
    this.#name = name
    this.#label = family.labels[0]
    this.#bounds = family.buckets
  }

  observe(value: string, seconds: number): void {
    let buckets = this.#buckets.get(value)
    if (buckets === undefined) this.#buckets.set(value, (buckets = new Buckets(this.#bounds)))
    buckets.observe(seconds)
  }

  get lines(): string {
    const label = this.#label
    return [...this.#buckets]
      .flatMap(([value, buckets]) => {
        const { count, sum } = buckets
        const bucket = (le: string, upTo: number): string => `${this.#name}_bucket${labelsText({ le, [label]: value })} ${upTo}\n`
        const whole = labelsText({ [label]: value })
        return [
          ...buckets.cumulative().map(([bound, upTo]) => bucket(String(bound), upTo)),
          bucket('+Inf', count),
          `${this.#name}_sum${whole} ${sum}\n`,
          `${this.#name}_count${whole} ${count}\n`,
        ]
      })
      .join('')
  }
}
