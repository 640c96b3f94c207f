import { type machineApi, Node, type NodeCondition, type Taint } from '@windlass/api'
import { findCondition, type Instant, setConditions } from '@windlass/core'
import { type Action, type Draft, status } from '@windlass/kube'
import { nodeInfoAt } from '../../cluster/nodes/index.ts'
import { addressOf } from '../../identity/index.ts'
import { Annotation, Label } from '../wire.ts'

/** The node that a machine becomes. It is a worker, with the labels and taints that the machine gives it. */
export function nodeDraft({ metadata, spec }: machineApi.Machine): Draft<Node> {
  const { name = '', namespace = '', labels = {} } = metadata
  const zone = labels[Label.zone]
  return {
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'node-role.kubernetes.io/worker': '',
        ...(zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone }),
        ...spec.metadata?.labels,
      },
      annotations: { ...spec.metadata?.annotations, [Annotation.machine]: `${namespace}/${name}` },
    },
    spec: {
      ...(spec.providerID === undefined ? {} : { providerID: spec.providerID }),
      ...(spec.taints === undefined ? {} : { taints: spec.taints.flatMap(taintOf) }),
    },
  }
}

/** Machines carry taints as they are written; what is none is left out. */
function taintOf(taint: object): readonly Taint[] {
  const { key, effect, value }: { readonly key?: unknown; readonly effect?: unknown; readonly value?: unknown } = taint
  if (typeof key !== 'string' || (effect !== 'NoSchedule' && effect !== 'PreferNoSchedule' && effect !== 'NoExecute')) return []
  return [{ key, effect, ...(typeof value === 'string' ? { value } : {}) }]
}

const notReady = {
  type: 'Ready',
  status: 'False',
  reason: 'KubeletNotReady',
  message: 'container runtime network not ready: the network of the node is being set up',
} as const
const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' } as const

/** What the kubelet of a node says next. */
export interface KubeletWord {
  readonly action?: Action
  /** When it has something else to say. */
  readonly at?: Instant
  readonly waitingFor?: string
}

/**
 * What a node says of itself until it is ready for the first time. From then on the rest of the cluster speaks for it: a node that is restarted by an update is
 * not taken back to its beginning here.
 */
export function kubeletWord(
  node: Node,
  version: string | undefined,
  { isHeld, starts }: { readonly isHeld: boolean; readonly starts: Instant },
  now: Instant,
): KubeletWord {
  const said = findCondition(node.status?.conditions, 'Ready')
  const isOurs = said === undefined || said.message === notReady.message
  if (!isOurs) return {}
  if (isHeld || version === undefined || now < starts) {
    const waitingFor = version === undefined ? 'the config of its pool' : 'its node to be ready'
    const at = !isHeld && now < starts ? { at: starts } : {}
    return said === undefined ? { action: speak(node, { conditions: [notReady] }, now), ...at } : { waitingFor, ...at }
  }
  const { name = '', uid = '' } = node.metadata
  const capacity = { cpu: '8', memory: '32768Mi', pods: '250' }
  const more = {
    nodeInfo: nodeInfoAt(version, name, uid),
    addresses: [{ type: 'InternalIP', address: addressOf(`node/${name}`, [10, 0, 0, 0], 16) }],
    capacity,
    allocatable: capacity,
  }
  return { action: speak(node, { conditions: [...healthy, ready], ...more }, now) }
}

const healthy = [
  { type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory', message: 'kubelet has sufficient memory available' },
  { type: 'DiskPressure', status: 'False', reason: 'KubeletHasNoDiskPressure', message: 'kubelet has no disk pressure' },
  { type: 'PIDPressure', status: 'False', reason: 'KubeletHasSufficientPID', message: 'kubelet has sufficient PID available' },
] as const

type Said = Omit<NodeCondition, 'lastTransitionTime'>

function speak(
  node: Node,
  { conditions, ...more }: Partial<Omit<NonNullable<Node['status']>, 'conditions'>> & { readonly conditions: readonly Said[] },
  now: Instant,
): Action {
  const all = setConditions<NodeCondition>(node.status?.conditions, conditions, now)
  return status(Node, node, { ...more, conditions: all }, 'this is what its kubelet says', { ifUnchanged: true })
}
