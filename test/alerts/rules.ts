import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { deployFolder } from '../deploy/manifests.ts'

export interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

export interface Group {
  readonly name: string
  readonly rules: readonly Rule[]
}

/** The rules that are shipped, as Prometheus reads them: what stands in the spec of each PrometheusRule, and no other copy of it. */
export function shippedGroups(): readonly Group[] {
  const folder = join(deployFolder, 'alerts')
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .flatMap((name) => {
      const { spec } = load(readFileSync(join(folder, name, 'prometheus-rule.yaml'), 'utf8')) as {
        readonly spec: { readonly groups: Group[] }
      }
      return spec.groups
    })
}

export function shippedRules(): readonly Rule[] {
  return shippedGroups().flatMap(({ rules }) => rules)
}

/** What an alert says of a series with these labels. */
export function saidOf({ annotations }: Rule, labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const filled = (text: string): string => text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '')
  return Object.fromEntries(Object.entries(annotations).map(([name, text]) => [name, filled(text)]))
}

/**
 * The same rules for clusters that are so many times as fast: every length of time is that much shorter. Lengths that stand in an expression are numbers of seconds
 * above a thousand, and ranges.
 */
export function quickened(groups: readonly Group[], speed: number): readonly Group[] {
  const shorter = (seconds: number): number => Math.max(0.2, seconds / speed)
  const inText = (text: string): string =>
    text
      .replaceAll(/\b(\d{4,})\b/g, (_, seconds: string) => String(shorter(Number(seconds))))
      .replaceAll(/\[(\d+)([hm])(?::\d+m)?\]/g, (whole, count: string, unit: string) => {
        const range = `${Math.max(1, Math.round(shorter(Number(count) * units[unit === 'h' ? 'h' : 'm'])))}s`
        return whole.includes(':') ? `[${range}:1s]` : `[${range}]`
      })
  return groups.map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) => ({
      ...rule,
      expr: inText(rule.expr),
      ...(rule.for === undefined ? {} : { for: `${Math.round(shorter(secondsOf(rule.for)) * 1000)}ms` }),
    })),
  }))
}

const units = { h: 3600, m: 60, s: 1 } as const

function secondsOf(duration: string): number {
  const [, count = '', unit = ''] = /^(\d+)([hms])$/.exec(duration) ?? []
  if (unit === 'h' || unit === 'm' || unit === 's') return Number(count) * units[unit]
  throw new Error(`${duration} is not a length of time that a rule of ours has`)
}
