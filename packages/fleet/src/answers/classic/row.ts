import type { ClusterVersion } from '@windlass/api'
import { type Duration, finishedUpdates, formatTime, isInitialRollout, parseTime } from '@windlass/core'
import { entryOf } from '@windlass/upgrades'
import type { Attention, ClusterRow, SideView } from '../../contract/index.ts'
import { expectedEnd } from '../estimate.ts'
import { Moments } from '../moments.ts'
import type { ClassicParts, Look, TimedRow, Yardstick } from '../parts.ts'
import { sideOf } from '../sides.ts'
import { newestFirst } from '../versions.ts'
import { sentence } from '../words.ts'
import { operatorProgress } from './operators.ts'
import { isOfWorkers, machineConfigPoolState } from './pools.ts'
import { classicRange, skewOfNodes } from './skew.ts'
import { classicTrouble } from './trouble.ts'

/** A classic cluster in one row. It is a member itself, and has its name. */
export function classicRow(parts: ClassicParts, { now, yardstick, member, isCurrent }: Look): TimedRow {
  const { clusterVersion, operators, nodes, progress } = parts
  const { metadata, status } = clusterVersion
  const moments = new Moments(now)
  const controlPlane = versionSide(parts, yardstick.threshold, moments)
  const dataPlane = dataPlaneSide(parts, controlPlane, yardstick, moments)
  const done = operatorProgress(operators, status?.desired.version)
  const { attention, summary } = judge(parts, controlPlane, dataPlane, moments)
  const end = progress?.status?.estimatedCompletedAt ?? timeOf(expectedEnd(status?.history)?.likely)
  const row: ClusterRow = {
    id: member,
    member,
    name: member,
    kind: 'Classic',
    ...(metadata.creationTimestamp === undefined ? {} : { createdTime: metadata.creationTimestamp }),
    attention,
    ...(summary === undefined ? {} : { summary }),
    controlPlane,
    dataPlane,
    nodes,
    ...(done === undefined ? {} : { progress: done }),
    ...(end === undefined || (attention !== 'Upgrading' && attention !== 'Installing') ? {} : { estimatedEnd: end }),
    skew: skewOfNodes(nodes, classicRange(clusterVersion, yardstick)),
    isCurrent,
  }
  return { row, changesAt: moments.next }
}

function timeOf(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : formatTime(instant)
}

/** By the one history that there is. */
export function versionSide(
  { clusterVersion, progress }: Pick<ClassicParts, 'clusterVersion' | 'progress'>,
  threshold: Duration,
  moments: Moments,
): SideView {
  const { status } = clusterVersion
  return sideOf(status, { conditions: undefined, threshold: allowedFor(clusterVersion, progress, threshold), moments })
}

/**
 * How long the newest update may take. Updates of classic clusters take an hour or two, and some much longer: it has stalled when it is later than expected by the
 * threshold; by a sixth of it where insights say when it is expected, because they look more closely.
 */
function allowedFor({ status }: ClusterVersion, progress: ClassicParts['progress'], threshold: Duration): Duration {
  const [newest] = status?.history ?? []
  const started = parseTime(newest?.startedTime)
  const expected = parseTime(progress?.status?.estimatedCompletedAt)
  if (started !== undefined && expected !== undefined) return expected - started + threshold / 6
  return (finishedUpdates(status?.history ?? []).next().value ?? threshold) + threshold
}

/** Nodes follow the version operator, pool by pool. */
function dataPlaneSide({ machineConfigPools, nodes }: ClassicParts, side: SideView, { threshold }: Yardstick, moments: Moments): SideView {
  const states = machineConfigPools.filter(isOfWorkers).map((pool) => machineConfigPoolState(pool, { threshold, moments }))
  const told = nodes.versions.map(({ version }) => version)
  const known = told.filter((version) => version !== '').toSorted(newestFirst)
  const worst = (['Stalled', 'Paused', 'Progressing'] as const).find((state) => states.includes(state))
  // Some node still has it, and all have got at least there.
  const version = told.length > 0 && known.length === told.length ? known.at(-1) : side.version
  const { version: _, ...rest } = side
  return {
    ...rest,
    ...(version === undefined ? {} : { version }),
    state: side.state === 'Stalled' || worst === undefined ? side.state : worst,
    activeVersions: [...new Set([...side.activeVersions, ...known])],
  }
}

function judge(
  parts: ClassicParts,
  controlPlane: SideView,
  dataPlane: SideView,
  moments: Moments,
): { readonly attention: Attention; readonly summary?: string } {
  const { clusterVersion, upgradeConfig } = parts
  const history = clusterVersion.status?.history
  const upgrade = upgradeConfig === undefined ? undefined : entryOf(upgradeConfig)
  const to = controlPlane.desired ?? 'the wanted version'
  if (controlPlane.state === 'Stalled') {
    return {
      attention: 'Stalled',
      summary: sentence(`the cluster goes to ${to} since ${controlPlane.startedTime ?? ''}${operatorsLeft(parts)}`),
    }
  }
  if (dataPlane.state === 'Stalled') return { attention: 'Stalled', summary: sentence(`nodes are updated to ${to} and do not get there`) }
  const trouble = classicTrouble(parts, isInitialRollout(history), moments)
  if (trouble !== undefined) return { attention: 'Failing', summary: sentence(trouble) }
  if (controlPlane.state === 'Unknown') {
    return { attention: 'Unknown', summary: 'Nothing reports which version it runs: check that the cluster version operator runs.' }
  }
  if (dataPlane.state === 'Paused')
    return { attention: 'Paused', summary: `A machine config pool is paused: its nodes do not go to ${to}.` }
  if (isInitialRollout(history)) return { attention: 'Installing' }
  const isMoving = controlPlane.state === 'Progressing' || dataPlane.state === 'Progressing' || upgrade?.phase === 'Upgrading'
  if (!isMoving) return { attention: 'Steady' }
  const left = operatorsLeft(parts)
  return { attention: 'Upgrading', ...(left === '' ? {} : { summary: sentence(`it goes to ${to}${left}`) }) }
}

/** ` and waits for 3 operators`; empty when it waits for none. */
function operatorsLeft({ operators, clusterVersion }: ClassicParts): string {
  const progress = operatorProgress(operators, clusterVersion.status?.desired.version)
  if (progress === undefined || progress.done === progress.total) return ''
  const left = progress.total - progress.done
  return ` and waits for ${left} of ${progress.total} operators`
}
