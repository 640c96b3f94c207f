import type { GaugeName, LabelsOf } from './gauges.ts'

/** One series of a gauge, and its value. */
export interface Sample<N extends string = string> {
  readonly name: N
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** All series there are, by name and labels. A value: changes make new ones. */
export type Series = ReadonlyMap<string, Sample>

export const noSeries: Series = new Map()

/** A change of the series; what decisions return instead of reaching for a gauge. */
export type GaugeChange =
  | { readonly do: 'set'; readonly sample: Sample<GaugeName> }
  /** Sets series that exist to 0 and creates none. To drop them instead would keep averages over time at 1. */
  | { readonly do: 'clear'; readonly name: GaugeName; readonly where: Readonly<Record<string, string>> }
  | { readonly do: 'drop'; readonly names: readonly GaugeName[]; readonly where: Readonly<Record<string, string>> }

export function setGauge<N extends GaugeName>(name: N, labels: LabelsOf<N>, value: number): GaugeChange {
  return { do: 'set', sample: { name, labels, value } }
}

export function clearGauge<N extends GaugeName>(name: N, where: Partial<LabelsOf<N>> = {}): GaugeChange {
  return { do: 'clear', name, where: defined(where) }
}

export function dropGauges(names: readonly GaugeName[], where: Readonly<Record<string, string>> = {}): GaugeChange {
  return { do: 'drop', names, where }
}

/** The series after a change; the same ones when it changes nothing. */
export function withChange(series: Series, change: GaugeChange): Series {
  switch (change.do) {
    case 'set': {
      const key = keyOf(change.sample)
      return series.get(key)?.value === change.sample.value ? series : new Map(series).set(key, change.sample)
    }
    case 'clear': {
      const hit = [...series].filter(([, sample]) => sample.name === change.name && matches(sample, change.where) && sample.value !== 0)
      if (hit.length === 0) return series
      const next = new Map(series)
      for (const [key, sample] of hit) next.set(key, { ...sample, value: 0 })
      return next
    }
    case 'drop': {
      const kept = [...series].filter(([, sample]) => !change.names.some((name) => name === sample.name) || !matches(sample, change.where))
      return kept.length === series.size ? series : new Map(kept)
    }
    default:
      return change satisfies never
  }
}

export function valueOf<N extends GaugeName>(series: Series, name: N, labels: LabelsOf<N>): number | undefined {
  return series.get(keyOf({ name, labels, value: 0 }))?.value
}

export function hasSeries(series: Series, sample: Sample): boolean {
  return series.has(keyOf(sample))
}

function matches({ labels }: Sample, where: Readonly<Record<string, string>>): boolean {
  return Object.entries(where).every(([name, value]) => labels[name] === value)
}

/** The order of labels means nothing. */
function keyOf({ name, labels }: Sample): string {
  return JSON.stringify([name, ...Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])
}

function defined(where: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(where).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
