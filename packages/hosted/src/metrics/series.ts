import type { FamilyName } from './families.ts'

export type Labels = Readonly<Record<string, string>>

/** `{namespace="clusters",name="prod"}`; nothing where there are no labels. */
export function labelsText(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return all.length === 0 ? '' : `{${all.join(',')}}`
}

/** One series without its value, which may be another one at each scrape. */
export function seriesOf(name: FamilyName, labels: Labels): string {
  return `${name}${labelsText(labels)} `
}

export function lineOf(name: FamilyName, labels: Labels, value: number): string {
  return `${seriesOf(name, labels)}${value}\n`
}

const special = /[\\"\n]/

/** Almost nothing that Kubernetes lets anybody write needs it, so that it is worth a look first. */
export function escaped(value: string): string {
  return special.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value
}
