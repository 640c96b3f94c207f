import type { ClusterOperator, ClusterVersion, MachineConfig, MachineConfigPool, Node } from '@windlass/api'
import { tryParseVersion } from '@windlass/core'
import type { Answer } from './answer.ts'
import { activeIn, exposureOf, isLower, minutesSince, skewOf, worstExposure } from './versions.ts'

export interface ClassicWorld {
  readonly clusterVersion: ClusterVersion
  readonly operators: readonly ClusterOperator[]
  readonly pools: readonly MachineConfigPool[]
  readonly nodes: readonly Node[]
  readonly configs: readonly MachineConfig[]
}

/** Everything about a classic cluster, worked out from its objects the long way. */
export function judgeClassic(
  { clusterVersion, operators, pools, nodes, configs }: ClassicWorld,
  now: number,
  fixes: readonly string[],
): Answer {
  const history = clusterVersion.status?.history ?? []
  const [newest] = history
  const completed = history.find(({ state }) => state === 'Completed')?.version ?? ''
  const late = 60 + (finishedMinutes(history) ?? 60)
  const controlPlane =
    newest === undefined
      ? 'Unknown'
      : newest.state === 'Completed'
        ? 'Completed'
        : minutesSince(newest.startedTime, now) > late
          ? 'Stalled'
          : 'Progressing'
  const poolStates = pools.filter(({ metadata }) => metadata.name !== 'master').map((pool) => poolStateOf(pool, now))
  const worst = (['Stalled', 'Paused', 'Progressing'] as const).find((state) => poolStates.includes(state))
  const dataPlane = controlPlane === 'Stalled' ? 'Stalled' : (worst ?? controlPlane)
  const versions = nodes.map((node) => versionOf(node, configs))
  const counted: Record<string, number> = {}
  for (const version of versions) counted[version] = (counted[version] ?? 0) + 1
  return {
    controlPlane: { state: controlPlane, version: completed },
    dataPlane: { state: dataPlane, version: versions.length > 0 && !versions.includes('') ? oldest(versions) : completed },
    attention: attentionOf(),
    skew: versions.length === 0 ? 'Allowed' : nodeSkew(),
    wanted: nodes.length,
    ready: nodes.filter(({ status }) => (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True'))
      .length,
    nodes: counted,
    exposure: exposure(),
  }

  function attentionOf(): Answer['attention'] {
    if (dataPlane === 'Stalled') return 'Stalled'
    const isNew = completed === ''
    for (const { status } of operators) {
      const away = status?.conditions?.find(({ type }) => type === 'Available')
      if (!isNew && away?.status === 'False' && minutesSince(away.lastTransitionTime, now) > 5) return 'Failing'
    }
    if (controlPlane === 'Unknown') return 'Unknown'
    if (dataPlane === 'Paused') return 'Paused'
    if (isNew) return 'Installing'
    return controlPlane === 'Progressing' || dataPlane === 'Progressing' ? 'Upgrading' : 'Steady'
  }

  function nodeSkew(): Answer['skew'] {
    const active = history.length === 0 ? undefined : activeIn(history, [])
    const verdict = skewOf(versions, active)
    return verdict !== 'Violated' && versions.some((version) => tryParseVersion(version) === undefined) ? 'Unknown' : verdict
  }

  function exposure(): Answer['exposure'] {
    const ofHistory = exposureOf(history, fixes)
    const target = clusterVersion.status?.desired.version ?? ''
    const ofNodes = [target, ...versions].map((version) => ({ state: 'Partial', version }))
    const nodesAnswer = versions.length === 0 ? ofHistory : versions.includes('') ? 'Unknown' : exposureOf(ofNodes, fixes)
    return { controlPlane: ofHistory, dataPlane: nodesAnswer, state: worstExposure([ofHistory, nodesAnswer]) }
  }
}

function versionOf({ metadata }: Node, configs: readonly MachineConfig[]): string {
  const name = metadata.annotations?.['machineconfiguration.openshift.io/currentConfig']
  const config = configs.find((each) => each.metadata.name === name)
  return config?.metadata.annotations?.['machineconfiguration.openshift.io/release-image-version'] ?? ''
}

function oldest(versions: readonly string[]): string {
  const unreadable = versions.filter((version) => tryParseVersion(version) === undefined)
  if (unreadable.length > 0) return unreadable.toSorted()[0] ?? ''
  return versions.reduce((lowest, version) => (isLower(version, lowest) ? version : lowest))
}

function poolStateOf({ spec, status }: MachineConfigPool, now: number): Answer['controlPlane']['state'] {
  const find = (type: string) => status?.conditions?.find((condition) => condition.type === type && condition.status === 'True')
  if (find('Updated') !== undefined) return 'Completed'
  if (spec.paused === true) return 'Paused'
  const since = find('Updating')?.lastTransitionTime
  if (since === undefined || since === null) return 'Unknown'
  return minutesSince(since, now) > 60 + 10 * (status?.machineCount ?? 0) ? 'Stalled' : 'Progressing'
}

/** How long the last finished update took; the newest is under way, and the oldest is the installation. */
function finishedMinutes(history: NonNullable<NonNullable<ClusterVersion['status']>['history']>): number | undefined {
  for (const { state, startedTime, completionTime } of history.slice(1, -1)) {
    if (state !== 'Completed' || completionTime === null) continue
    const took = (Date.parse(completionTime) - Date.parse(startedTime)) / 60_000
    if (took > 0) return took
  }
  return undefined
}
