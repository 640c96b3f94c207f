import type { FleetFigures, VersionCount } from '@windlass/fleet/contract'
import type { Side } from '../address/fleet-query.ts'
import { compareVersionTexts, minorOf } from './minor.ts'

/** Versions of one side, as a bar that is as long as all of them together. */
export interface VersionBar {
  readonly side: Side
  readonly total: number
  /** Oldest first, so that a fleet moves to the right. */
  readonly minors: readonly MinorPart[]
}

export interface MinorPart {
  /** The empty text for those of which no version is known. */
  readonly minor: string
  /** Which of all minors in the chart it is, oldest first: the same minor looks the same in each bar. */
  readonly rank: number
  readonly count: number
  /** Where it begins, as a part of the whole. */
  readonly start: number
  readonly share: number
  readonly patches: readonly PatchPart[]
}

export interface PatchPart {
  readonly version: string
  readonly count: number
  readonly start: number
  readonly share: number
}

/** The three bars of the fleet. */
export function versionBars(figures: FleetFigures): readonly VersionBar[] {
  const sides: readonly (readonly [Side, readonly VersionCount[]])[] = [
    ['control-plane', figures.controlPlaneVersions],
    ['data-plane', figures.dataPlaneVersions],
    ['nodes', figures.nodeVersions],
  ]
  const minors = minorsOf(sides.flatMap(([, counts]) => counts))
  return sides.map(([side, counts]) => barOf(side, counts, minors))
}

/** All minors that are counted anywhere, oldest first; the unknown one, if it is there, is the first. */
export function minorsOf(counts: readonly VersionCount[]): readonly string[] {
  const known = counts.filter(({ count }) => count > 0)
  return [...new Set(known.toSorted((a, b) => compareVersionTexts(a.version, b.version)).map(({ version }) => minorOf(version)))]
}

function barOf(side: Side, counts: readonly VersionCount[], ranks: readonly string[]): VersionBar {
  const known = counts.filter(({ count }) => count > 0).toSorted((a, b) => compareVersionTexts(a.version, b.version))
  const total = known.reduce((sum, { count }) => sum + count, 0)
  const byMinor = Map.groupBy(known, ({ version }) => minorOf(version))
  const minors: MinorPart[] = []
  let passed = 0
  for (const [minor, versions] of byMinor) {
    const start = passed
    const patches = versions.map(({ version, count }) => {
      const part = { version, count, start: passed / total, share: count / total }
      passed += count
      return part
    })
    minors.push({
      minor,
      rank: ranks.indexOf(minor),
      count: passed - start,
      start: start / total,
      share: (passed - start) / total,
      patches,
    })
  }
  return { side, total, minors }
}
