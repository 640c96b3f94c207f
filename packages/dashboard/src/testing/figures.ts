import type { ClusterRow, FleetFigures, VersionCount } from '@windlass/fleet/contract'
import { compareVersionTexts } from '../versions/index.ts'
import { attentions, skewVerdicts } from '../words/index.ts'

/** The figures of a scripted fleet, counted row by row. */
export function figuresOf(rows: Iterable<ClusterRow>): FleetFigures {
  const all = [...rows]
  return {
    clusters: all.length,
    attention: tally(
      attentions,
      all.map(({ attention }) => attention),
    ),
    nodes: all.reduce((sum, { nodes }) => sum + nodes.wanted, 0),
    skew: tally(
      skewVerdicts,
      all.map(({ skew }) => skew),
    ),
    controlPlaneVersions: counted(all.map(({ controlPlane }) => [controlPlane.version ?? '', 1])),
    dataPlaneVersions: counted(all.map(({ dataPlane }) => [dataPlane.version ?? '', 1])),
    nodeVersions: counted(all.flatMap(({ nodes }) => nodes.versions.map(({ version, count }) => [version, count] as const))),
  }
}

function tally<K extends string>(keys: readonly K[], values: readonly K[]): Record<K, number> {
  const counts = new Map<K, number>(keys.map((key) => [key, 0]))
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Object.fromEntries(counts) as Record<K, number>
}

function counted(values: readonly (readonly [string, number])[]): readonly VersionCount[] {
  const counts = new Map<string, number>()
  for (const [version, count] of values) counts.set(version, (counts.get(version) ?? 0) + count)
  return [...counts].map(([version, count]) => ({ version, count })).toSorted((a, b) => compareVersionTexts(b.version, a.version))
}
