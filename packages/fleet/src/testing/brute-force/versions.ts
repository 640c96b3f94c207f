import { compareVersions, tryParseVersion } from '@windlass/core'

/** An entry of any history. */
export interface Entry {
  readonly state: string
  readonly version?: string
  readonly image?: string
  readonly startedTime: string
  readonly completionTime?: string | null
}

export interface Report {
  readonly desired?: { readonly version?: string }
  readonly history?: readonly Entry[]
}

/** The minor as it counts; undefined where minors are not counted. */
export function minorOf(text: string): number | undefined {
  const version = tryParseVersion(text)
  if (version === undefined) return undefined
  if (version.major === 4) return version.minor
  return version.major === 5 ? 23 + version.minor : undefined
}

export function isLower(a: string, b: string): boolean {
  const [left, right] = [tryParseVersion(a), tryParseVersion(b)]
  if (left === undefined || right === undefined) throw new Error(`${a} or ${b} is no version`)
  return compareVersions(left, right) < 0
}

/** Every version that may run: all Partial entries, and the first Completed one; what the guest completed, where there is none. */
export function activeIn(history: readonly Entry[], guest: readonly Entry[]): readonly string[] | undefined {
  if (history.length === 0) return undefined
  const found: string[] = []
  let isComplete = false
  for (const { state, version = '' } of history) {
    if (isComplete) break
    if (!found.includes(version)) found.push(version)
    if (state === 'Completed') isComplete = true
  }
  if (!isComplete) {
    for (const { state, version = '' } of guest) {
      if (state !== 'Completed') continue
      if (!found.includes(version)) found.push(version)
      break
    }
  }
  return found.every((version) => tryParseVersion(version) !== undefined) ? found : undefined
}

/** How many minors nodes may be behind. */
export function allowedBehind(minor: number): number {
  return minor % 2 === 0 ? 2 : 1
}

/** One version of nodes against all that may run in a control plane. */
export function skewOf(nodes: readonly string[], active: readonly string[] | undefined): 'Allowed' | 'AtLimit' | 'Violated' | 'Unknown' {
  const readable = nodes.filter((version) => tryParseVersion(version) !== undefined)
  if (readable.length === 0 || active === undefined) return 'Unknown'
  const minors = active.map(minorOf)
  if (minors.includes(undefined)) return 'Unknown'
  let [lowest, highest] = [active[0] ?? '', active[0] ?? '']
  for (const version of active) {
    if (isLower(version, lowest)) lowest = version
    if (isLower(highest, version)) highest = version
  }
  const lowestMinor = (minorOf(lowest) ?? 0) - allowedBehind(minorOf(lowest) ?? 0)
  let isUnknown = false
  for (const version of readable) {
    const minor = minorOf(version)
    if (minor === undefined) isUnknown = true
    else if (isLower(highest, version) || minor < lowestMinor) return 'Violated'
  }
  if (isUnknown) return 'Unknown'
  const next = (minorOf(highest) ?? 0) + 1
  return readable.some((version) => (minorOf(version) ?? 0) < next - allowedBehind(next)) ? 'AtLimit' : 'Allowed'
}

export type Exposure = 'Fixed' | 'Pending' | 'Vulnerable' | 'Unknown'

/** A history against the first fixed version of each minor. */
export function exposureOf(history: readonly Pick<Entry, 'state' | 'version'>[], fixes: readonly string[]): Exposure {
  const fixFor = (version: string): string | undefined =>
    fixes.find((fix) => minorOf(version) !== undefined && minorOf(fix) === minorOf(version))
  const newest = history[0]?.version ?? ''
  if (history.length === 0 || tryParseVersion(newest) === undefined) return 'Unknown'
  const fix = fixFor(newest)
  if (fix === undefined) return 'Unknown'
  if (isLower(newest, fix)) return 'Vulnerable'
  for (const { state, version = '' } of history) {
    const own = tryParseVersion(version) === undefined ? undefined : fixFor(version)
    if (own === undefined || isLower(version, own)) return 'Pending'
    if (state === 'Completed') break
  }
  return 'Fixed'
}

export function worstExposure(answers: readonly Exposure[]): Exposure {
  for (const state of ['Vulnerable', 'Unknown', 'Pending', 'Fixed'] as const) if (answers.includes(state)) return state
  return 'Unknown'
}

export function minutesSince(time: string, now: number): number {
  return (now - Date.parse(time)) / 60_000
}
