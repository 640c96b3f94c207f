import { capi, HostedCluster, HostedControlPlane, Node, NodePool, type Resource, Secret } from '@windlass/api'
import { activeVersionsOf, isTrue, kubernetesMinor, lowestVersion, parseTime, tryParseVersion, type Version } from '@windlass/core'
import type { Invariant, StateReader, Write } from '@windlass/kube/simulation'
import { inPlaceMaxUnavailable, isMachineDeploymentComplete, isMachineSetComplete, rolloutBounds } from '../machines/index.ts'
import { Annotation, NodeAnnotation } from '../wire.ts'

const home = 'clusters-prod'
const bootedVersion = 'simulator.windlass.dev/booted-version'

/** What holds for all pools of a cluster after every write, whatever people ask for and whatever goes wrong. */
export function laws(): readonly Invariant[] {
  return [...neverTooManyAway(), neverAbove, neverLeaked, neverOrphaned, neverProlonged()]
}

/** Looked at after writes of these kinds. */
function after(kinds: readonly Resource[], name: string, holds: Invariant['holds']): Invariant {
  return { name, holds: (write, state) => !kinds.some((kind) => write.isOf(kind)) || holds(write, state) }
}

const poolOf = ({ metadata }: capi.Machine): string => metadata.annotations?.[Annotation.nodePool]?.replace(/^clusters\//, '') ?? ''

const machinesOf = (state: StateReader, pool: string): readonly capi.Machine[] =>
  state.list(capi.Machine, { namespace: home }).filter((machine) => poolOf(machine) === pool)

const works = ({ metadata, status }: capi.Machine): boolean =>
  metadata.deletionTimestamp === undefined && isTrue(status?.conditions, 'NodeHealthy')

/** What a pool allows. */
interface Allowance {
  readonly leastAvailable: number
  /** Of nodes that are upgraded in place. */
  readonly mostAway: number
}

const nothingYet: Allowance = { leastAvailable: 0, mostAway: 0 }

function allowanceOf(pool: NodePool): Allowance {
  const { replicas = 0, management } = pool.spec
  if (management.upgradeType === 'Replace')
    return { leastAvailable: rolloutBounds(replicas, management.replace?.rollingUpdate).leastAvailable, mostAway: 0 }
  const mostAway = inPlaceMaxUnavailable(pool)
  return { leastAvailable: Math.max(0, replicas - mostAway), mostAway }
}

/** Whether all machines are there, and made from what is wanted. */
function isAtRest({ metadata: { name = '' }, spec }: NodePool, state: StateReader): boolean {
  const ref = { namespace: home, name }
  const { replicas = 0 } = spec
  if (spec.management.upgradeType === 'Replace') {
    const deployment = state.get(capi.MachineDeployment, ref)
    return deployment?.spec.replicas === replicas && isMachineDeploymentComplete(deployment)
  }
  const set = state.get(capi.MachineSet, ref)
  if (set === undefined || !isMachineSetComplete(set)) return false
  const { replicas: present = 0, availableReplicas = 0, observedGeneration = 0 } = set.status ?? {}
  return (
    set.spec.replicas === replicas &&
    present === replicas &&
    availableReplicas === replicas &&
    observedGeneration >= (set.metadata.generation ?? 0)
  )
}

/**
 * A machine that works is taken away only while as many others work as its pool wants to keep, and no more nodes are away to be upgraded than may be. Machines
 * that break are nobody's doing: they count as missing, and so forbid to take others.
 *
 * From when a pool has come to rest until it does again, the smallest size that was asked for meanwhile counts, and the most that could be away: what was decided
 * before somebody scales the pool is still carried out afterwards.
 */
export function neverTooManyAway(): readonly Invariant[] {
  const allowances = new Map<string, Allowance>()
  const follow = (state: StateReader): void => {
    for (const pool of state.list(NodePool, { namespace: 'clusters' })) {
      const { uid = '' } = pool.metadata
      const now = allowanceOf(pool)
      const before = allowances.get(uid) ?? nothingYet
      allowances.set(uid, isAtRest(pool, state) ? now : loosest(before, now))
    }
  }
  const allowedFor = (name: string, state: StateReader): Allowance | undefined => {
    const { deletionTimestamp, uid = '' } = state.get(NodePool, { namespace: 'clusters', name })?.metadata ?? {}
    return deletionTimestamp === undefined ? allowances.get(uid) : undefined
  }
  const kinds = [NodePool, capi.MachineDeployment, capi.MachineSet, capi.Machine, Node]
  return [
    after(kinds, 'a machine that works is taken away only while enough others do', (write, state) => {
      follow(state)
      const machine = write.as(capi.Machine)
      const before = write.was(capi.Machine)
      if (machine?.metadata.deletionTimestamp === undefined || before === undefined || !works(before)) return true
      const allowed = allowedFor(poolOf(machine), state)
      const working = machinesOf(state, poolOf(machine)).filter(works).length
      return allowed === undefined || working >= allowed.leastAvailable || `${working} work, and ${allowed.leastAvailable} must`
    }),
    after([Node], 'no more nodes are away than may be', (_, state) => {
      const away = Map.groupBy(
        state.list(capi.Machine, { namespace: home }).filter((machine) => isAway(machine, state)),
        poolOf,
      )
      const tooMany = [...away].find(
        ([pool, machines]) => machines.length > (allowedFor(pool, state)?.mostAway ?? Number.POSITIVE_INFINITY),
      )
      return tooMany === undefined || `${tooMany[1].length} of ${tooMany[0]} are`
    }),
  ]
}

/** Whether the node of a machine was told to go somewhere and is not there, or is there and not open again. One that is drained because it is to go is not away. */
function isAway({ metadata: { name = '', deletionTimestamp } }: capi.Machine, state: StateReader): boolean {
  const node = state.get(Node, { name }, { cluster: home })
  const { annotations = {} } = node?.metadata ?? {}
  const desired = annotations[NodeAnnotation.desiredConfig]
  if (node === undefined || desired === undefined) return false
  return desired !== annotations[NodeAnnotation.currentConfig] || (node.spec.unschedulable === true && deletionTimestamp === undefined)
}

function loosest(a: Allowance, b: Allowance): Allowance {
  return { leastAvailable: Math.min(a.leastAvailable, b.leastAvailable), mostAway: Math.max(a.mostAway, b.mostAway) }
}

/** The oldest version that an API server of the cluster may run right now, by whoever knows of it first. */
function lowestIn(state: StateReader): Version | undefined {
  const cluster = state.get(HostedCluster, { namespace: 'clusters', name: 'prod' })?.status
  const plane = state.get(HostedControlPlane, { namespace: home, name: 'prod' })?.status
  const reports = [
    cluster,
    plane === undefined ? undefined : { controlPlaneVersion: plane.controlPlaneVersion, version: plane.versionStatus },
  ]
  return lowestVersion(reports.flatMap((report) => activeVersionsOf(report ?? {}) ?? []))
}

/** As simulated kubelets call themselves: the minor is that of Kubernetes, the patch that of the release. */
type Kubelet = readonly [minor: number, patch: number]

const kubeletAt = (version: Version): Kubelet => [kubernetesMinor(version), version.patch]

function kubeletOf({ status }: Node): Kubelet | undefined {
  const [, minor, patch] = /^v1\.(\d+)\.(\d+)$/.exec(status?.nodeInfo?.kubeletVersion ?? '') ?? []
  // Before it has said anything it is at 0.0.
  return minor === undefined || minor === '0' ? undefined : [Number(minor), Number(patch)]
}

/** What runs on a machine: what its Node says, or what it starts with as long as there is none. */
function kubeletOn(machine: capi.Machine, state: StateReader): Kubelet | undefined {
  const node = state.get(Node, { name: machine.metadata.name ?? '' }, { cluster: home })
  const born = tryParseVersion(machine.metadata.annotations?.[bootedVersion])
  return (node === undefined ? undefined : kubeletOf(node)) ?? (born === undefined ? undefined : kubeletAt(born))
}

/** No node is newer than the oldest API server that may still run, however it got there, and whichever of the two has moved. */
export const neverAbove: Invariant = after(
  [HostedCluster, HostedControlPlane, capi.Machine, Node],
  'no node is newer than an API server that may still run',
  (write, state) => {
    const lowest = lowestIn(state)
    if (lowest === undefined || write.verb === 'delete') return true
    const limit = kubeletAt(lowest)
    const machines = concerned(write, state)
    const above = machines.find((machine) => isAbove(kubeletOn(machine, state), limit))
    if (above === undefined) return true
    return `${above.metadata.name ?? ''} runs v1.${kubeletOn(above, state)?.join('.') ?? ''} and the control plane may run ${lowest.text}`
  },
)

function isAbove(kubelet: Kubelet | undefined, [minor, patch]: Kubelet): boolean {
  return kubelet !== undefined && (kubelet[0] > minor || (kubelet[0] === minor && kubelet[1] > patch))
}

/** The machine that was written, or whose Node was; all of them when it was the control plane. */
function concerned(write: Write, state: StateReader): readonly capi.Machine[] {
  if (!write.isOf(capi.Machine) && !write.isOf(Node)) return state.list(capi.Machine, { namespace: home })
  const machine = state.get(capi.Machine, { namespace: home, name: write.name })
  return machine === undefined ? [] : [machine]
}

/** Nothing of a machine outlives it: what became of it is gone before it is, and it is gone before its pool is. */
export const neverLeaked: Invariant = after([NodePool, capi.Machine, Node], 'no machine and no node is left over', (write, state) => {
  if (write.isOf(NodePool)) {
    if (write.verb !== 'delete') return true
    const left = machinesOf(state, write.name)
    return left.length === 0 || `${left.length} machines of it are`
  }
  const node = write.as(Node)
  if (node !== undefined) {
    const owner = node.metadata.annotations?.[NodeAnnotation.machine] ?? ''
    return write.verb === 'delete' || state.get(capi.Machine, { namespace: home, name: owner }) !== undefined || 'it has no machine'
  }
  if (write.verb !== 'delete') return true
  const isLost = state.list(Node, { cluster: home }).some(({ metadata }) => metadata.annotations?.[NodeAnnotation.machine] === write.name)
  return !isLost || 'its node is'
})

/** Every Machine is of a pool. */
export const neverOrphaned: Invariant = {
  name: 'every machine says whose it is',
  of: capi.Machine,
  holds: (write) => write.object.metadata.annotations?.[Annotation.nodePool] !== undefined || 'it does not',
}

/** A token that is no longer wanted is given two hours, and no more: the mark never moves away, but for a pool that goes back to it. */
export function neverProlonged(): Invariant {
  const marks = new Map<string, number>()
  return {
    name: 'no token gets more time',
    of: Secret,
    holds(write) {
      const { uid = '', annotations } = write.as(Secret)?.metadata ?? {}
      const expires = parseTime(annotations?.[Annotation.tokenExpires])
      const before = marks.get(uid)
      if (expires === undefined) marks.delete(uid)
      else marks.set(uid, expires)
      return expires === undefined || before === undefined || expires <= before || `it was good until ${before} and is until ${expires}`
    },
  }
}
