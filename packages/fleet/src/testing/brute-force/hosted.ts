import type { ControlPlaneComponent, HostedCluster, NodePool } from '@windlass/api'
import { tryParseVersion } from '@windlass/core'
import type { Answer } from './answer.ts'
import { activeIn, type Entry, type Exposure, exposureOf, minutesSince, type Report, skewOf, worstExposure } from './versions.ts'

type Condition = { readonly type: string; readonly status: string; readonly reason?: string; readonly lastTransitionTime: string }

/** Everything about a hosted cluster, worked out from its objects the long way. */
export function judgeHosted(
  cluster: HostedCluster,
  allComponents: readonly ControlPlaneComponent[],
  allPools: readonly NodePool[],
  now: number,
  fixes: readonly string[],
): Answer {
  const { namespace = '', name = '' } = cluster.metadata
  const components = allComponents.filter(({ metadata }) => metadata.namespace === `${namespace}-${name}`)
  const pools = allPools.filter(({ metadata, spec }) => metadata.namespace === namespace && spec.clusterName === name)
  const conditions = cluster.status?.conditions ?? []
  const [management, guest] = [cluster.status?.controlPlaneVersion, cluster.status?.version]
  const controlPlane = stateOf(management, conditions, now)
  let dataPlane = stateOf(guest, conditions, now)
  // Without nodes nothing in the guest can run: it waits, for as long as it takes.
  if (dataPlane === 'Stalled' && !pools.some((pool) => wantedNodes(pool) > 0)) dataPlane = 'Progressing'
  const poolStates = pools.map((pool) => poolStateOf(pool, now))
  if (dataPlane !== 'Paused' && dataPlane !== 'Stalled') {
    if (poolStates.includes('Stalled')) dataPlane = 'Stalled'
    else if (poolStates.includes('Progressing')) dataPlane = 'Progressing'
  }
  const nodes = nodesOf(pools)
  return {
    controlPlane: { state: controlPlane, version: completedIn(management) },
    dataPlane: { state: dataPlane, version: completedIn(guest) },
    attention: attentionOf(cluster, components, pools, { controlPlane, dataPlane }, now),
    skew: clusterSkew(cluster, pools),
    ...nodes,
    exposure: clusterExposure(cluster, pools, fixes),
  }
}

function stateOf(report: Report | undefined, conditions: readonly Condition[], now: number): Answer['controlPlane']['state'] {
  const newest = report?.history?.[0]
  if (newest === undefined) return 'Unknown'
  if (newest.state === 'Completed') return 'Completed'
  if (says(conditions, 'ReconciliationActive', 'False')) return 'Paused'
  return minutesSince(newest.startedTime, now) > 60 ? 'Stalled' : 'Progressing'
}

function says(conditions: readonly Condition[], type: string, status: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === status)
}

function completedIn(report: Report | undefined): string {
  for (const { state, version = '' } of report?.history ?? []) if (state === 'Completed') return version
  return ''
}

function poolStateOf({ spec, status }: NodePool, now: number): Answer['controlPlane']['state'] {
  const conditions = status?.conditions ?? []
  const since = conditions
    .filter(({ type, status: is }) => type.startsWith('Updating') && is === 'True')
    .map(({ lastTransitionTime }) => lastTransitionTime)
  if (since.length === 0) return (status?.version ?? '') === '' ? 'Unknown' : 'Completed'
  if (says(conditions, 'ReconciliationActive', 'False')) return 'Paused'
  return Math.max(...since.map((time) => minutesSince(time, now))) > 60 + 10 * wantedNodes({ spec, status }) ? 'Stalled' : 'Progressing'
}

function wantedNodes({ spec, status }: Pick<NodePool, 'spec'> & { readonly status?: NodePool['status'] | undefined }): number {
  return spec.autoScaling === undefined ? (spec.replicas ?? 0) : Math.max(spec.autoScaling.min ?? 0, status?.replicas ?? 0)
}

/** Type, the bad value, for how many minutes, and whether an installation may have it. */
const troubles: readonly (readonly [string, string, number, boolean])[] = [
  ['ValidConfiguration', 'False', Number.NEGATIVE_INFINITY, false],
  ['Available', 'False', 5, true],
  ['ClusterVersionSucceeding', 'False', 10, false],
  ['Degraded', 'True', 20, true],
]

function attentionOf(
  { metadata, status }: HostedCluster,
  components: readonly ControlPlaneComponent[],
  pools: readonly NodePool[],
  { controlPlane, dataPlane }: { readonly controlPlane: string; readonly dataPlane: string },
  now: number,
): Answer['attention'] {
  if (metadata.deletionTimestamp !== undefined) return 'Deleting'
  if (controlPlane === 'Stalled' || dataPlane === 'Stalled') return 'Stalled'
  const conditions = status?.conditions ?? []
  const [management, guest] = [status?.controlPlaneVersion, status?.version]
  const isNew = completedIn(management) === '' && completedIn(guest) === ''
  const lasting = (condition: Condition, minutes: number): boolean => minutesSince(condition.lastTransitionTime, now) > minutes
  for (const [type, bad, minutes, isNormalAtFirst] of troubles) {
    if (isNew && isNormalAtFirst) continue
    if (conditions.some((each) => each.type === type && each.status === bad && lasting(each, minutes))) return 'Failing'
  }
  const isByPause = (message = ''): boolean => message.startsWith('ReconciliationActive ')
  if (conditions.some(({ type, reason, message }) => type === 'Progressing' && reason === 'Blocked' && !isByPause(message)))
    return 'Failing'
  for (const component of components) {
    if (component.metadata.deletionTimestamp !== undefined) continue
    const rollout = component.status?.conditions?.find(({ type }) => type === 'RolloutComplete')
    if (rollout?.status === 'False' && rollout.reason === 'ReconciliationError' && lasting(rollout, 5)) return 'Failing'
  }
  for (const pool of pools) {
    if ((pool.status?.conditions ?? []).some((each) => each.type === 'ValidReleaseImage' && each.status === 'False' && lasting(each, 1)))
      return 'Failing'
  }
  if (says(conditions, 'ReconciliationActive', 'False')) return 'Paused'
  if (controlPlane === 'Unknown' && dataPlane === 'Unknown') {
    return minutesSince(metadata.creationTimestamp ?? '', now) > 60 ? 'Unknown' : 'Installing'
  }
  const isThere = (report: Report | undefined): boolean => {
    const desired = report?.desired?.version ?? report?.history?.[0]?.version ?? ''
    return completedIn(report) === desired
  }
  const isAsked = says(conditions, 'Progressing', 'True')
  if (controlPlane !== 'Progressing' && dataPlane !== 'Progressing' && isThere(management) && isThere(guest) && !isAsked) return 'Steady'
  const hasNeverFinished = (guest?.history ?? []).length > 0 && completedIn(guest) === ''
  return isNew || hasNeverFinished ? 'Installing' : 'Upgrading'
}

/** What may run on the control plane by the management side; by the guest where that says nothing that can be read. */
function activeOf({ status }: HostedCluster): readonly string[] | undefined {
  const guest = status?.version?.history ?? []
  return inReport(status?.controlPlaneVersion, guest) ?? inReport(status?.version, [])
}

function inReport(report: Report | undefined, guest: readonly Entry[]): readonly string[] | undefined {
  if (report === undefined) return undefined
  if ((report.history ?? []).length > 0) return activeIn(report.history ?? [], guest)
  const desired = report.desired?.version ?? ''
  return tryParseVersion(desired) === undefined ? undefined : [desired]
}

function wantedOf({ status }: HostedCluster, pool: NodePool): string {
  for (const { image, version = '' } of [...(status?.controlPlaneVersion?.history ?? []), ...(status?.version?.history ?? [])]) {
    if (image !== pool.spec.release.image) continue
    if (tryParseVersion(version) !== undefined) return version
    break
  }
  return pool.status?.version ?? ''
}

function clusterSkew(cluster: HostedCluster, pools: readonly NodePool[]): Answer['skew'] {
  const answers = pools.map((pool) => {
    const told = (pool.status?.nodesInfo?.nodeVersions ?? []).map(({ ocpVersion }) => ocpVersion)
    return skewOf([pool.status?.version ?? '', ...told, wantedOf(cluster, pool)], activeOf(cluster))
  })
  for (const verdict of ['Violated', 'AtLimit', 'Unknown'] as const) if (answers.includes(verdict)) return verdict
  return 'Allowed'
}

function nodesOf(pools: readonly NodePool[]): Pick<Answer, 'wanted' | 'ready' | 'nodes'> {
  let [wanted, ready] = [0, 0]
  const nodes: Record<string, number> = {}
  const count = (version: string, by: number): void => {
    if (by > 0) nodes[version] = (nodes[version] ?? 0) + by
  }
  for (const { spec, status } of pools) {
    wanted += spec.autoScaling === undefined ? (spec.replicas ?? 0) : Math.max(spec.autoScaling.min ?? 0, status?.replicas ?? 0)
    if (status?.nodesInfo === undefined) {
      ready += status?.replicas ?? 0
      count('', status?.replicas ?? 0)
    }
    for (const { ocpVersion, readyNodeCount, unreadyNodeCount } of status?.nodesInfo?.nodeVersions ?? []) {
      ready += readyNodeCount
      count(ocpVersion, readyNodeCount + unreadyNodeCount)
    }
  }
  return { wanted, ready, nodes }
}

function clusterExposure(cluster: HostedCluster, pools: readonly NodePool[], fixes: readonly string[]): Answer['exposure'] {
  const controlPlane = exposureOf(cluster.status?.controlPlaneVersion?.history ?? [], fixes)
  const answers: Exposure[] = [exposureOf(cluster.status?.version?.history ?? [], fixes)]
  for (const pool of pools) {
    const { spec, status } = pool
    const told = (status?.nodesInfo?.nodeVersions ?? []).map(({ ocpVersion }) => ocpVersion)
    const running = [status?.version ?? '', ...told].filter((version) => version !== '')
    const isEmpty =
      spec.autoScaling === undefined ? (spec.replicas ?? 0) === 0 : Math.max(spec.autoScaling.min ?? 0, status?.replicas ?? 0) === 0
    if (running.length === 0) {
      if (!isEmpty) answers.push('Unknown')
      continue
    }
    const wanted = wantedOf(cluster, pool)
    if (tryParseVersion(wanted) === undefined)
      answers.push(...running.map((version) => exposureOf([{ state: 'Completed', version }], fixes)))
    else
      answers.push(
        exposureOf(
          [wanted, ...running].map((version) => ({ state: 'Partial', version })),
          fixes,
        ),
      )
  }
  const dataPlane = worstExposure(answers)
  return { controlPlane, dataPlane, state: worstExposure([controlPlane, dataPlane]) }
}
