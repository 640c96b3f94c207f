import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { Taint } from './scheduling.ts'
import type { BuiltinCondition } from './shared.ts'

export interface Node {
  readonly apiVersion: 'v1'
  readonly kind: 'Node'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly providerID?: string
    /** Cordoned: nothing new comes here. */
    readonly unschedulable?: boolean
    readonly taints?: readonly Taint[]
  }
  readonly status?: {
    readonly conditions?: readonly NodeCondition[]
    readonly addresses?: readonly { readonly type: string; readonly address: string }[]
    /** Quantities by the name of the resource. */
    readonly capacity?: Readonly<Record<string, string>>
    readonly allocatable?: Readonly<Record<string, string>>
    readonly nodeInfo?: NodeInfo
  }
}

export const Node = builtin<Node>({ apiVersion: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster', hasStatusSubresource: true })

export interface NodeCondition extends BuiltinCondition {
  readonly lastHeartbeatTime?: string | null
}

/** What the kubelet says about itself and its machine. */
export interface NodeInfo {
  readonly architecture: string
  readonly bootID: string
  readonly containerRuntimeVersion: string
  readonly kernelVersion: string
  readonly kubeProxyVersion: string
  readonly kubeletVersion: string
  readonly machineID: string
  readonly operatingSystem: string
  readonly osImage: string
  readonly systemUUID: string
}
