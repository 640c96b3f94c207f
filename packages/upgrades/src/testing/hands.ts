import type { Effect } from '../effects/index.ts'
import { noSeries, type Series, withChange } from '../metrics/index.ts'
import type { FactName, Facts } from '../observed/facts.ts'
import type { Hands } from '../steps/run.ts'

/** Hands that do nothing and remember everything. */
export interface RecordingHands extends Hands {
  readonly looked: FactName[]
  readonly done: Effect[]
  readonly logged: string[]
  /** What the gauges say by now. */
  series(): Series
}

export function recordingHands(
  facts: Partial<Facts>,
  options: { readonly fails?: (effect: Effect) => boolean; readonly message?: string } = {},
): RecordingHands {
  const looked: FactName[] = []
  const done: Effect[] = []
  const logged: string[] = []
  let series = noSeries
  return {
    looked,
    done,
    logged,
    series: () => series,
    look: (at) => {
      looked.push(...at)
      return Promise.resolve(Object.fromEntries(at.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]]]))))
    },
    perform: (effect) => {
      if (options.fails?.(effect) === true) return Promise.reject(new Error(options.message ?? 'boom'))
      done.push(effect)
      if (effect.do === 'gauge') series = withChange(series, effect.change)
      return Promise.resolve()
    },
    log: (message) => {
      logged.push(message)
    },
  }
}

/** What was told, in order. */
export function told(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.do === 'notify' ? [effect.state] : []))
}

/** Effects in short: what they do, and to what. Gauges are left out. */
export function inShort(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => {
    switch (effect.do) {
      case 'notify':
      case 'owe':
        return [`${effect.do} ${effect.state}`]
      case 'act':
        return [effect.action.do === 'event' ? 'event' : `${effect.action.do} ${effect.action.kind.kind}`]
      case 'replace':
        return [`replace ${effect.object.metadata.name ?? ''}`]
      case 'delete pod':
        return [`delete pod ${effect.pod.metadata.name ?? ''}`]
      case 'create silence':
        return [`create silence ${effect.silence.comment}`]
      case 'end silence':
        return [`end silence ${effect.silence.id}`]
      case 'gauge':
        return []
      default:
        return effect satisfies never
    }
  })
}

/** What the gauges say after these effects: `name{label="value"}` and its value. */
export function gaugesAfter(effects: readonly Effect[], before: Series = noSeries): Readonly<Record<string, number>> {
  let series = before
  for (const effect of effects) if (effect.do === 'gauge') series = withChange(series, effect.change)
  return shown(series)
}

export function shown(series: Series): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Array.from(series.values(), ({ name, labels, value }) => {
      const text = Object.entries(labels).map(([label, labelValue]) => `${label}="${labelValue}"`)
      return [`${name.replace('upgradeoperator_', '')}{${text.join(',')}}`, value]
    }),
  )
}
