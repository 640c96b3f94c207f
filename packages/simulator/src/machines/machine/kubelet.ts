import { Node, type NodeCondition, Pod } from '@windlass/api'
import type { capi } from '@windlass/api'
import { findCondition, type Instant, parseTime, setConditions } from '@windlass/core'
import { type Action, create, equalJson, isNotFound, remove, status } from '@windlass/kube'
import type { FollowedCluster } from '@windlass/kube'
import { nodeInfoAt } from '../../cluster/nodes/kubelet.ts'
import { pods } from '../caches.ts'
import { failingWith, type MachineFailure, slownessOf } from '../failures.ts'
import { secondsOf } from '../../profile/index.ts'
import { type Settings, takes } from '../settings.ts'
import { NodeAnnotation } from '../wire.ts'
import { isRestarting } from './daemon.ts'
import { machineAddress } from './status.ts'

type Said = Omit<NodeCondition, 'lastTransitionTime'>

/** The Node that a machine becomes when it has started. */
export function newNode({ metadata: { name = '', namespace = '' }, spec }: capi.Machine): Action {
  return create(
    Node,
    {
      metadata: {
        name,
        labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'node-role.kubernetes.io/worker': '' },
        annotations: {
          [NodeAnnotation.machine]: name,
          [NodeAnnotation.clusterNamespace]: namespace,
          [NodeAnnotation.clusterName]: spec.clusterName,
          [NodeAnnotation.disk]: configurationOf(spec),
        },
      },
      spec: { providerID: spec.providerID ?? '' },
    },
    'its machine has started',
  )
}

/** The hash at the end of the name of its user data. */
function configurationOf({ bootstrap }: capi.Machine['spec']): string {
  return bootstrap?.dataSecretName?.split('-').at(-1) ?? ''
}

/** What a kubelet says next, and when it has something else to say. */
export interface KubeletWord {
  readonly action: Action | undefined
  readonly at: Instant
}

/** What the kubelet of a machine says about its Node. `version` is that of the configuration that the machine got. */
export function kubeletWord(
  node: Node,
  version: string,
  failures: readonly MachineFailure[],
  settings: Settings,
  now: Instant,
): KubeletWord {
  const { name = '' } = node.metadata
  const { said, at } = readiness(node, failures, settings, now)
  const conditions = setConditions<NodeCondition>(node.status?.conditions, [said], now)
  // A daemon that upgrades the node in place says what it runs from then on.
  const nodeInfo = node.status?.nodeInfo?.kubeletVersion ? node.status.nodeInfo : nodeInfoAt(version, name, node.metadata.uid ?? '')
  const place = node.metadata.annotations?.[NodeAnnotation.clusterNamespace] ?? ''
  const addresses = [{ type: 'InternalIP', address: machineAddress(place, name) }]
  const isSaid = conditions === node.status?.conditions && equalJson(nodeInfo, node.status.nodeInfo)
  const action = isSaid
    ? undefined
    : status(Node, node, { conditions, nodeInfo, addresses }, 'this is what its kubelet says', { ifUnchanged: true })
  return { action, at }
}

const ready: Said = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
const notReady: Said = { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'container runtime network not ready' }
const silent: Said = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' }

function readiness(
  node: Node,
  failures: readonly MachineFailure[],
  settings: Settings,
  now: Instant,
): { readonly said: Said; readonly at: Instant } {
  const never = Number.POSITIVE_INFINITY
  if (isUnreachable(failures) || isRestarting(node)) return { said: silent, at: never }
  if (failingWith(failures, 'kubelet-never-ready') !== undefined) return { said: notReady, at: never }
  const { name = '', creationTimestamp } = node.metadata
  const start = (parseTime(creationTimestamp) ?? now) + takes(settings, 'kubelet', name, slownessOf(failures))
  // One that is ready stays so, though a clock may go back.
  const isStarting = now < start && findCondition(node.status?.conditions, 'Ready')?.status !== 'True'
  if (isStarting) return { said: notReady, at: start }
  const flap = failingWith(failures, 'node-flap')
  if (flap === undefined) return { said: ready, at: never }
  const period = flap.period ?? 60_000
  const turn = Math.floor((now - start) / period)
  return { said: turn % 2 === 0 ? ready : notReady, at: start + (turn + 1) * period }
}

/** Nobody hears of it, and nothing that is asked of it is done. */
export function isUnreachable(failures: readonly MachineFailure[]): boolean {
  return failingWith(failures, 'node-unreachable') !== undefined || failingWith(failures, 'instance-gone') !== undefined
}

/** In seconds: what an ordinary program needs to end. Most Pods have ten times as much. */
const toEnd = 3

/** Ends Pods of the node that were asked to go a while ago; says when the next one's time has come. A node that nobody reaches ends none. */
export async function endPods(
  guest: FollowedCluster,
  node: string,
  settings: Settings,
  now: Instant,
  signal: AbortSignal,
): Promise<Instant> {
  let next = Number.POSITIVE_INFINITY
  for (const pod of guest.cache.byIndex(pods, 'node', node)) {
    const latest = parseTime(pod.metadata.deletionTimestamp)
    if (latest === undefined) continue
    const grace = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000
    const end = latest - grace + Math.min(grace, secondsOf(settings, toEnd))
    if (end > now) next = Math.min(next, end)
    else await ended(pod, guest, signal)
  }
  return next
}

async function ended(pod: Pod, guest: FollowedCluster, signal: AbortSignal): Promise<void> {
  try {
    await guest.act(remove(Pod, pod, 'its kubelet has ended it', { gracePeriodSeconds: 0 }), signal)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
