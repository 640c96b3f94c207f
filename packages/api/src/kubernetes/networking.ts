import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { LabelSelector } from './shared.ts'

/** Who may talk to the selected Pods, and whom they may talk to. */
export interface NetworkPolicy {
  readonly apiVersion: 'networking.k8s.io/v1'
  readonly kind: 'NetworkPolicy'
  readonly metadata: ObjectMeta
  readonly spec: {
    /** The Pods it is about; empty means all of the namespace. */
    readonly podSelector?: LabelSelector
    readonly policyTypes?: readonly ('Ingress' | 'Egress')[]
    readonly ingress?: readonly { readonly from?: readonly NetworkPeer[]; readonly ports?: readonly NetworkPort[] }[]
    readonly egress?: readonly { readonly to?: readonly NetworkPeer[]; readonly ports?: readonly NetworkPort[] }[]
  }
  readonly status?: never
}

export const NetworkPolicy = builtin<NetworkPolicy>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
})

export interface NetworkPeer {
  readonly podSelector?: LabelSelector
  readonly namespaceSelector?: LabelSelector
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] }
}

export interface NetworkPort {
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP'
  readonly port?: number | string
  readonly endPort?: number
}
