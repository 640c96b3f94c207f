import { formatTime, type LearnedEstimate, parseTime } from '@windlass/core'
import { learnFrom } from '@windlass/insights'
import type { ClusterRow, ClusterView, EstimateView, EventView } from '../../contract/index.ts'
import { conditionsOf, type Expectations } from '../conditions.ts'
import { estimateView, expectedEnd } from '../estimate.ts'
import { insightViews } from '../insights.ts'
import { Moments } from '../moments.ts'
import type { ClassicParts, Look } from '../parts.ts'
import { updatesOf } from '../sides.ts'
import { upgradeView } from '../upgrade.ts'
import { operatorViews } from './operators.ts'
import { machineConfigPoolView } from './pools.ts'
import { classicRange } from './skew.ts'

const healthy: Expectations = {
  Available: 'True',
  Failing: 'False',
  Progressing: 'False',
  ReleaseAccepted: 'True',
  RetrievedUpdates: 'True',
  Upgradeable: 'True',
}

/** A classic cluster in full. */
export function classicView(parts: ClassicParts, row: ClusterRow, events: readonly EventView[], { now, yardstick }: Look): ClusterView {
  const { clusterVersion, operators, machineConfigPools, versionOf, upgradeConfig, health } = parts
  const { metadata, spec, status } = clusterVersion
  const look = { threshold: yardstick.threshold, moments: new Moments(now), versionOf, range: classicRange(clusterVersion, yardstick) }
  const estimate = estimateOf(parts, row, now)
  return {
    time: formatTime(now),
    row,
    ...(spec.clusterID === '' ? {} : { clusterId: spec.clusterID }),
    ...(spec.channel === undefined || spec.channel === '' ? {} : { channel: spec.channel }),
    labels: metadata.labels ?? {},
    controlPlaneHistory: [],
    dataPlaneHistory: updatesOf(status?.history),
    components: operatorViews(operators, status?.desired.version),
    pools: machineConfigPools.map((pool) => machineConfigPoolView(pool, look)),
    conditions: conditionsOf(status?.conditions, healthy),
    insights: insightViews(health),
    events,
    ...(upgradeConfig === undefined ? {} : { upgrade: upgradeView(upgradeConfig) }),
    ...(estimate === undefined ? {} : { estimate }),
  }
}

/** By what finished updates of the cluster left on record, part by part; by the insight, or by its history, where there is nothing of that. */
function estimateOf(parts: ClassicParts, row: ClusterRow, now: number): EstimateView | undefined {
  const { clusterVersion, progress, operatorProgress, poolProgress } = parts
  const { history } = clusterVersion.status ?? {}
  if (history?.[0] === undefined || history[0].state === 'Completed') return undefined
  const fallback = expectedEnd(history)
  const insight = parseTime(progress?.status?.estimatedCompletedAt)
  const completion = insight ?? fallback?.likely
  const { controlPlane } = learnFrom({ clusterVersion, operators: operatorProgress, pools: poolProgress, nodes: [] }, now)
  const learned = controlPlane === undefined ? undefined : learnedView(controlPlane, completion)
  if (learned !== undefined) return learned
  const stalledBecause = row.attention === 'Stalled' ? row.summary : undefined
  if (insight === undefined) return estimateView(fallback, stalledBecause)
  return {
    completion: formatTime(insight),
    ...(stalledBecause === undefined ? {} : { unknownBecause: `unknown, stalled because ${stalledBecause}` }),
  }
}

function learnedView(learned: LearnedEstimate, completion: number | undefined): EstimateView | undefined {
  if (learned.state === 'unlearned') return undefined
  if (learned.state === 'expected') {
    return { completion: formatTime(learned.likely), earliest: formatTime(learned.earliest), latest: formatTime(learned.latest) }
  }
  const awaited = learned.on.length === 0 ? 'it' : learned.on.join(', ')
  const due = formatTime(learned.due)
  const unknownBecause =
    learned.state === 'stalled'
      ? `unknown, stalled because ${awaited} should have been done by ${due}`
      : `unknown, slower than the updates before it: ${awaited} should have been done by ${due}`
  return { completion: formatTime(completion ?? learned.due), unknownBecause }
}
