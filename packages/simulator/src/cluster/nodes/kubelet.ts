import type { Node, NodeCondition, NodeInfo } from '@windlass/api'
import { hasCountedMinor, type Instant, kubernetesMinor, setConditions, tryParseVersion } from '@windlass/core'
import { injected, type Injection } from '../injections/index.ts'
import { hexOf } from '../payload/index.ts'

type Said = Omit<NodeCondition, 'lastTransitionTime'>

/** What is wrong with a node, and what is said when it is not any more. */
const ailments = {
  silent: [
    say('Ready', 'Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.'),
    say('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
  ],
  'not-ready': [
    say('Ready', 'False', 'KubeletNotReady', 'container runtime is down'),
    say('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
  ],
  'disk-pressure': [
    say('DiskPressure', 'True', 'KubeletHasDiskPressure', 'kubelet has disk pressure'),
    say('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
  ],
  'network-unavailable': [
    say('NetworkUnavailable', 'True', 'NoRouteCreated', 'the network of the node does not work'),
    say('NetworkUnavailable', 'False', 'RouteCreated', 'the network of the node works'),
  ],
} as const satisfies Readonly<Record<string, readonly [Said, Said]>>

type Ailment = keyof typeof ailments

/** Of several about the same condition the first counts. */
const inOrder: readonly Ailment[] = ['silent', 'not-ready', 'disk-pressure', 'network-unavailable']

/**
 * The conditions of a node, given whether its kubelet is silent. Only what was said here is taken back here: who makes nodes says whether they are ready. The
 * same list when nothing changes.
 */
export function conditionsOf(
  node: Node,
  isSilent: boolean,
  injections: readonly Injection<'Node'>[],
  now: Instant,
): readonly NodeCondition[] {
  const before = node.status?.conditions ?? []
  const said = new Map<string, Said>()
  for (const name of inOrder) {
    const [ill, well] = ailments[name]
    const reason = name === 'silent' ? undefined : injected(injections, name)?.reason
    const isIll = name === 'silent' ? isSilent : injected(injections, name) !== undefined
    const isLeft = before.some(({ type, message }) => type === ill.type && message === ill.message)
    const known = said.get(ill.type)
    if (isIll && (known === undefined || known.status === well.status)) said.set(ill.type, reason === undefined ? ill : { ...ill, reason })
    else if (isLeft && known === undefined) said.set(well.type, well)
  }
  return setConditions<NodeCondition>(
    node.status?.conditions,
    [...said.values()].map((condition) => withHeartbeat(condition, before)),
    now,
  )
}

/** Servers keep a time of the last heartbeat, be it null. Whoever leaves it out says something new each time. */
function withHeartbeat(condition: Said, before: readonly NodeCondition[]): Said {
  const lastHeartbeatTime = before.find(({ type }) => type === condition.type)?.lastHeartbeatTime
  return lastHeartbeatTime === undefined ? condition : { ...condition, lastHeartbeatTime }
}

function say(type: string, status: NodeCondition['status'], reason: string, message: string): Said {
  return { type, status, reason, message }
}

/** What a node runs at a release, after so many restarts. What is not known of the release stays as it was. */
export function nodeInfoAt(version: string, name: string, boot: string, before?: NodeInfo): NodeInfo {
  const parsed = tryParseVersion(version)
  const kubelet =
    parsed !== undefined && hasCountedMinor(parsed) ? `v1.${kubernetesMinor(parsed)}.${parsed.patch}` : (before?.kubeletVersion ?? 'v1.0.0')
  const stream = parsed === undefined ? '' : ` ${parsed.major}.${parsed.minor}`
  return {
    architecture: 'amd64',
    operatingSystem: 'linux',
    bootID: uuidOf(`boot/${name}/${boot}`),
    machineID: hexOf(`machine/${name}`, 32),
    systemUUID: uuidOf(`system/${name}`),
    kernelVersion: '5.14.0-427.el9.x86_64',
    osImage: `Red Hat Enterprise Linux CoreOS${stream}`,
    containerRuntimeVersion: kubelet.replace(/^v/, 'cri-o://'),
    kubeletVersion: kubelet,
    kubeProxyVersion: kubelet,
  }
}

function uuidOf(text: string): string {
  const hex = hexOf(text, 32)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
