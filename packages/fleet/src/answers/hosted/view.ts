import { formatTime } from '@windlass/core'
import { expectedConditions, skewWindows } from '@windlass/hosted'
import type { ClusterRow, ClusterView, EventView } from '../../contract/index.ts'
import { conditionsOf } from '../conditions.ts'
import { estimateView, expectedEnd, laterEnd } from '../estimate.ts'
import { Moments } from '../moments.ts'
import type { HostedParts, Look } from '../parts.ts'
import { updatesOf } from '../sides.ts'
import { blockersOf, componentViews, waitsFor } from './components.ts'
import { poolView } from './node-pools.ts'

/** A hosted cluster in full. Nobody keeps insights into these: what is wrong with them is in `why`. */
export function hostedView(parts: HostedParts, row: ClusterRow, events: readonly EventView[], { now, yardstick }: Look): ClusterView {
  const { hostedCluster, components, pools } = parts
  const { metadata, spec, status } = hostedCluster
  const range = skewWindows(hostedCluster, yardstick.skew)
  const look = { hostedCluster, range, threshold: yardstick.threshold, moments: new Moments(now) }
  const end = laterEnd(expectedEnd(status?.controlPlaneVersion?.history), expectedEnd(status?.version?.history))
  const stalledBecause = row.attention === 'Stalled' ? waitsFor(blockersOf(hostedCluster, components)) || row.summary : undefined
  const estimate = estimateView(end, stalledBecause)
  return {
    time: formatTime(now),
    row,
    ...(spec.clusterID === undefined || spec.clusterID === '' ? {} : { clusterId: spec.clusterID }),
    ...(spec.channel === undefined || spec.channel === '' ? {} : { channel: spec.channel }),
    labels: metadata.labels ?? {},
    controlPlaneHistory: updatesOf(status?.controlPlaneVersion?.history),
    dataPlaneHistory: updatesOf(status?.version?.history),
    components: componentViews(hostedCluster, components),
    pools: pools.map((pool) => poolView(pool, look)),
    conditions: conditionsOf(status?.conditions, expectedConditions(hostedCluster)),
    insights: [],
    events,
    ...(estimate === undefined ? {} : { estimate }),
  }
}
