import { type Duration, formatTime, isFalse, isInitialRollout, isTrue, parseTime } from '@windlass/core'
import { skewWindows } from '@windlass/hosted'
import type { Attention, ClusterRow, SideView, SkewVerdict } from '../../contract/index.ts'
import { blockersOf, progressOf, waitsFor } from './components.ts'
import { expectedEnd, laterEnd } from '../estimate.ts'
import { Moments } from '../moments.ts'
import { nodesOf, poolState, runningVersions, skewOf, wantedNodes, worstSkew } from './node-pools.ts'
import type { HostedParts, Look, TimedRow } from '../parts.ts'
import { sideOf } from '../sides.ts'
import { sentence } from '../words.ts'
import { componentTrouble, poolTrouble, troubleOf } from './trouble.ts'

export function hostedId(member: string, { hostedCluster }: Pick<HostedParts, 'hostedCluster'>): string {
  return `${member}/${hostedCluster.metadata.namespace ?? ''}/${hostedCluster.metadata.name ?? ''}`
}

/** A hosted cluster in one row. */
export function hostedRow(parts: HostedParts, { now, yardstick, member, isCurrent }: Look): TimedRow {
  const { hostedCluster, components, pools, unreadPools } = parts
  const { metadata, spec, status } = hostedCluster
  const moments = new Moments(now)
  const controlPlane = controlPlaneSide(parts, yardstick.threshold, moments)
  const dataPlane = dataPlaneSide(parts, yardstick.threshold, moments)
  const blockers = blockersOf(hostedCluster, components)
  const progress = progressOf(hostedCluster, components, blockers)
  const range = skewWindows(hostedCluster, yardstick.skew)
  const verdict = judge(parts, { controlPlane, dataPlane, waitsFor: waitsFor(blockers) }, yardstick, moments)
  const isUnderWay = verdict.attention === 'Upgrading' || verdict.attention === 'Installing'
  const end = laterEnd(expectedEnd(status?.controlPlaneVersion?.history), expectedEnd(status?.version?.history))
  const row: ClusterRow = {
    id: hostedId(member, parts),
    member,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    kind: 'Hosted',
    platform: spec.platform.type,
    ...(metadata.creationTimestamp === undefined ? {} : { createdTime: metadata.creationTimestamp }),
    attention: verdict.attention,
    ...(verdict.summary === undefined ? {} : { summary: verdict.summary }),
    controlPlane,
    dataPlane,
    nodes: nodesOf(pools, unreadPools),
    ...(progress === undefined ? {} : { progress }),
    ...(end === undefined || !isUnderWay ? {} : { estimatedEnd: formatTime(end.likely) }),
    skew: worstSkew([...pools.map((pool) => skewOf(pool, { hostedCluster, range })), ...(unreadPools === undefined ? [] : unjudged)]),
    isCurrent,
  }
  return { row, changesAt: moments.next }
}

type Yardstick = Look['yardstick']

/** The verdict on pools that nobody has seen. */
const unjudged: readonly SkewVerdict[] = ['Unknown']

/** By `controlPlaneVersion` alone: what the guest says is about the guest. */
export function controlPlaneSide(
  { hostedCluster: { status } }: Pick<HostedParts, 'hostedCluster'>,
  threshold: Duration,
  moments: Moments,
): SideView {
  return sideOf(status?.controlPlaneVersion, { conditions: status?.conditions, threshold, moments, guest: status?.version?.history })
}

const worstState: readonly SideView['state'][] = ['Stalled', 'Progressing']

/**
 * By the history of the guest alone. What runs in a guest runs on its nodes: where none are asked for, its update goes on when there are some, and cannot stall
 * before.
 */
export function guestSide(parts: Omit<HostedParts, 'components'>, threshold: Duration, moments: Moments): SideView {
  const { status } = parts.hostedCluster
  return sideOf(status?.version, { conditions: status?.conditions, threshold: wantsNodes(parts) ? threshold : undefined, moments })
}

/** By the guest, and by pools: they are moved after it, and may run what it has left behind. */
export function dataPlaneSide(parts: Omit<HostedParts, 'components'>, threshold: Duration, moments: Moments): SideView {
  const { pools } = parts
  const side = guestSide(parts, threshold, moments)
  const poolStates = pools.map((pool) => poolState(pool, { threshold, moments }))
  const worst = worstState.find((state) => side.state === state || poolStates.includes(state))
  const versions = new Set([...side.activeVersions, ...pools.flatMap(runningVersions)])
  const isPaused = side.state === 'Paused'
  return { ...side, state: isPaused ? 'Paused' : (worst ?? side.state), activeVersions: [...versions] }
}

/** Pools that nobody has seen may want some. */
function wantsNodes({ pools, unreadPools }: Omit<HostedParts, 'components'>): boolean {
  return unreadPools !== undefined || pools.some((pool) => wantedNodes(pool) > 0)
}

interface Judged {
  readonly attention: Attention
  readonly summary?: string
}

interface Seen {
  readonly controlPlane: SideView
  readonly dataPlane: SideView
  readonly waitsFor: string
}

/** The first that applies, from what nothing can be added to, to what is as it should be. */
function judge(parts: HostedParts, seen: Seen, { threshold }: Yardstick, moments: Moments): Judged {
  const { hostedCluster, components, pools } = parts
  const { metadata, status } = hostedCluster
  const { controlPlane, dataPlane } = seen
  if (metadata.deletionTimestamp !== undefined)
    return { attention: 'Deleting', summary: `It is being deleted since ${metadata.deletionTimestamp}.` }
  if (controlPlane.state === 'Stalled') return { attention: 'Stalled', summary: stalledWords(seen) }
  if (dataPlane.state === 'Stalled') return { attention: 'Stalled', summary: dataPlaneWords(parts, seen, threshold, moments) }
  const isInstalling = controlPlane.version === undefined && dataPlane.version === undefined
  const trouble =
    troubleOf(hostedCluster, isInstalling, moments) ??
    firstOf(components, (component) => componentTrouble(component, moments)) ??
    firstOf(pools, (pool) => poolTrouble(pool, moments))
  if (trouble !== undefined) return { attention: 'Failing', summary: sentence(trouble) }
  if (isFalse(status?.conditions, 'ReconciliationActive')) return { attention: 'Paused', summary: pausedWords(parts, seen) }
  if (controlPlane.state === 'Unknown' && dataPlane.state === 'Unknown') return unreported(parts, threshold, moments)
  const isMoving = [controlPlane, dataPlane].some(({ state, version, desired }) => state === 'Progressing' || version !== desired)
  if (!isMoving && !isToMove(parts)) return { attention: 'Steady' }
  const guest = status?.version?.history ?? []
  const isFirst = isInstalling || (guest.length > 0 && isInitialRollout(guest))
  const summary = movingWords(parts, seen)
  return { attention: isFirst ? 'Installing' : 'Upgrading', ...(summary === '' ? {} : { summary }) }
}

/** The guest has not begun: that one side is done, and the other is where it was, is no rest then. */
function isToMove({ hostedCluster: { status } }: HostedParts): boolean {
  return isTrue(status?.conditions, 'Progressing')
}

/** A new cluster says nothing for a while. One that goes on saying nothing is another matter. */
function unreported({ hostedCluster: { metadata } }: HostedParts, threshold: number, moments: Moments): Judged {
  const created = parseTime(metadata.creationTimestamp)
  if (created !== undefined && !moments.isAfter(created + threshold)) {
    return { attention: 'Installing', summary: 'It is new: nothing has reported a version yet.' }
  }
  return { attention: 'Unknown', summary: 'Nothing reports which version it runs: check that the operator that looks after it runs.' }
}

function stalledWords({ controlPlane, waitsFor: awaited }: Seen): string {
  const { desired = 'the wanted version', startedTime = '' } = controlPlane
  return sentence(`the control plane goes to ${desired} since ${startedTime}${awaited === '' ? '' : ` and waits for ${awaited}`}`)
}

function dataPlaneWords({ hostedCluster, pools }: HostedParts, { dataPlane }: Seen, threshold: number, moments: Moments): string {
  const stalled = pools.filter((pool) => poolState(pool, { threshold, moments }) === 'Stalled').map(({ metadata }) => metadata.name ?? '')
  const [newest] = hostedCluster.status?.version?.history ?? []
  if (newest?.state === 'Partial' && stalled.length === 0) {
    return sentence(`the guest goes to ${dataPlane.desired ?? 'the wanted version'} since ${newest.startedTime}`)
  }
  return sentence(`the nodes of ${stalled.join(', ')} are updated and do not get there`)
}

function pausedWords({ hostedCluster: { spec } }: HostedParts, { controlPlane }: Seen): string {
  const until = spec.pausedUntil === undefined || /^true$/i.test(spec.pausedUntil) ? '' : ` until ${spec.pausedUntil}`
  return controlPlane.state === 'Paused'
    ? `Reconciliation is paused${until}: the update to ${controlPlane.desired ?? 'the wanted version'} does not go on.`
    : `Reconciliation is paused${until}.`
}

function movingWords(parts: HostedParts, { controlPlane, dataPlane, waitsFor: awaited }: Seen): string {
  if (controlPlane.state === 'Progressing') return awaited === '' ? '' : sentence(`the control plane waits for ${awaited}`)
  if (dataPlane.version !== dataPlane.desired) {
    const awaitsNodes = wantsNodes(parts) ? '' : ' when there are nodes: none are asked for'
    return `The guest goes to ${dataPlane.desired ?? 'the wanted version'}${awaitsNodes}.`
  }
  const names = parts.pools.filter(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type.startsWith('Updating') && is === 'True'),
  )
  if (names.length === 0) return isToMove(parts) ? 'The guest has not taken up yet what it is asked for.' : ''
  return `Nodes are updated: ${names.map(({ metadata }) => metadata.name ?? '').join(', ')}.`
}

function firstOf<T>(objects: readonly T[], troubleIn: (object: T) => string | undefined): string | undefined {
  let first: string | undefined
  // All of them are asked: each may be one more reason to look again later.
  for (const object of objects) {
    const trouble = troubleIn(object)
    first ??= trouble
  }
  return first
}
