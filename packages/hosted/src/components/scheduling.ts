import type { Affinity, HostedControlPlane, NodeSelectorTerm, PodAffinityTerm, Toleration } from '@windlass/api'
import type { Component } from './component.ts'
import { annotationOf, hasDedicatedTopology, namespaceOf, platformOf } from './control-plane.ts'
import { Annotation, Label, NodeMark } from './wire.ts'

const hostname = 'kubernetes.io/hostname'
const zone = 'topology.kubernetes.io/zone'

/** On these a management cluster may have its nodes in one zone. */
const zonesArePreferred = ['KubeVirt', 'OpenStack']

/** The component gets nodes that serve requests of this cluster and nothing else. */
function isIsolated(component: Component, hcp: HostedControlPlane): boolean {
  return component.isRequestServing && hasDedicatedTopology(hcp)
}

/** Nodes that are kept for control planes, for this one, and whatever the cluster's owner allows besides. */
export function tolerationsOf(component: Component, hcp: HostedControlPlane): readonly Toleration[] {
  const marks = [
    { key: NodeMark.controlPlane, value: 'true' },
    { key: NodeMark.cluster, value: namespaceOf(hcp) },
    ...(isIsolated(component, hcp) ? [{ key: NodeMark.requestServing, value: 'true' }] : []),
  ]
  return [...marks.map(({ key, value }) => ({ key, operator: 'Equal', value, effect: 'NoSchedule' }) as const), ...ownTolerations(hcp)]
}

/** The schema takes any text where Kubernetes knows a few words; the API server refuses the others. */
function ownTolerations(hcp: HostedControlPlane): readonly Toleration[] {
  return (hcp.spec.tolerations ?? []) as readonly Toleration[]
}

/** Where pods rather run: on nodes of control planes, best of this one, together with the other pods of it, apart from their like. */
export function affinityOf(component: Component, hcp: HostedControlPlane, isSpread: boolean): Affinity {
  const here = namespaceOf(hcp)
  return {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 50, preference: marked({ [NodeMark.controlPlane]: 'true' }) },
        { weight: 100, preference: marked({ [NodeMark.cluster]: here }) },
      ],
      ...(isIsolated(component, hcp) ? { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [ownNodes(hcp)] } } : {}),
    },
    podAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 100, podAffinityTerm: labelled(Label.hostedControlPlane, here, hostname) },
      ],
    },
    ...(isSpread ? { podAntiAffinity: spread(component, hcp) } : {}),
  }
}

function spread(component: Component, hcp: HostedControlPlane): NonNullable<Affinity['podAntiAffinity']> {
  const overNodes = labelled(Label.component, component.name, hostname)
  const overZones = labelled(Label.component, component.name, zone)
  if (!zonesArePreferred.includes(platformOf(hcp))) return { requiredDuringSchedulingIgnoredDuringExecution: [overZones, overNodes] }
  return {
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: overZones }],
    requiredDuringSchedulingIgnoredDuringExecution: [overNodes],
  }
}

function ownNodes(hcp: HostedControlPlane): NodeSelectorTerm {
  return marked({
    [NodeMark.requestServing]: 'true',
    [NodeMark.cluster]: namespaceOf(hcp),
    ...selectorOf(annotationOf(hcp, Annotation.requestServingNodes)),
  })
}

/** `a=b,c=d`, as an annotation writes labels. */
function selectorOf(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => pair.split('=', 2).map((part) => part.trim()))
  return Object.fromEntries(pairs.flatMap(([key = '', value]) => (key === '' || value === undefined ? [] : [[key, value]])))
}

function marked(labels: Readonly<Record<string, string>>): NodeSelectorTerm {
  return { matchExpressions: Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value] })) }
}

function labelled(label: string, value: string, topologyKey: string): PodAffinityTerm {
  return { labelSelector: { matchLabels: { [label]: value } }, topologyKey }
}
