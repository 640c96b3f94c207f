import { type Instant, parseTime } from '@windlass/core'
import { labelsText } from '../../metrics/series.ts'
import type { NodePoolSettings } from '../settings.ts'
import { plannedFor } from '../skew/index.ts'
import type { FamilyName } from './families.ts'
import { failuresOf, labelsOf, minorsBehind, type Reading, readyReplicas, skewUnsupported } from './readings.ts'

/** Everything about one pool that changes with its objects only. What also changes with time is told by what it is counted from. */
export interface Figures {
  readonly platform: string
  readonly failures: readonly string[]
  /** As they are written. */
  readonly labels: string
  readonly versionLabels: string
  readonly size: number | undefined
  readonly available: number | undefined
  readonly ready: number | undefined
  readonly minorsBehind: number | undefined
  readonly skewUnsupported: 0 | 1 | undefined
  readonly rollingOutSince: Instant | undefined
  readonly deletedSince: Instant | undefined
}

export function figuresOf(reading: Reading, skew: NodePoolSettings['skew']): Figures {
  const { pool, scaled } = reading
  const { metadata, spec, status } = pool
  const labels = labelsOf(reading)
  return {
    platform: spec.platform.type,
    failures: failuresOf(pool),
    labels: labelsText(labels),
    versionLabels: labelsText({ ...labels, version: status?.version ?? '', target_version: plannedFor(pool, reading.cluster)?.text ?? '' }),
    size: scaled?.spec.replicas,
    available: scaled?.status?.replicas,
    ready: readyReplicas(reading),
    minorsBehind: minorsBehind(reading, skew),
    skewUnsupported: skewUnsupported(reading, skew),
    rollingOutSince: status?.version === undefined ? parseTime(metadata.creationTimestamp) : undefined,
    deletedSince: parseTime(metadata.deletionTimestamp),
  }
}

type Value = (figures: Figures, now: Instant) => number | undefined

const secondsSince = (since: Instant | undefined, now: Instant): number | undefined =>
  since === undefined ? undefined : Math.max(0, now - since) / 1000

/** What each metric about a pool says; nothing where that is not known. */
export const values = {
  hypershift_nodepools_initial_rolling_out_duration_seconds: ({ rollingOutSince }, now) => secondsSince(rollingOutSince, now),
  hypershift_nodepools_size: ({ size }) => size,
  hypershift_nodepools_available_replicas: ({ available }) => available,
  windlass_nodepool_ready_replicas: ({ ready }) => ready,
  hypershift_nodepools_deleting_duration_seconds: ({ deletedSince }, now) => secondsSince(deletedSince, now),
  windlass_nodepool_skew_minors: (figures) => figures.minorsBehind,
  windlass_nodepool_skew_unsupported: (figures) => figures.skewUnsupported,
  windlass_nodepool_version_info: () => 1,
} as const satisfies Partial<Record<FamilyName, Value>>
