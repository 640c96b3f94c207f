import { defaultSkewPolicy, defaultSkewSource, type SkewPolicy, type SkewSource } from '@windlass/core'
import type { HostedCluster } from '@windlass/api'
import { ClusterAnnotation } from './wire.ts'

/**
 * Who looks after the pools. `Manage`: we do. `Observe`: another operator does; we answer questions about skew and write nothing.
 */
export const NodePoolMode = { manage: 'Manage', observe: 'Observe' } as const
export type NodePoolMode = (typeof NodePoolMode)[keyof typeof NodePoolMode]

export interface NodePoolSettings {
  readonly mode: NodePoolMode
  readonly skew: { readonly source: SkewSource; readonly policy: SkewPolicy }
  /** When several operators share a management cluster: the scope that is ours. Undefined when there is one for all. */
  readonly scope: string | undefined
}

export const defaultSettings: NodePoolSettings = {
  mode: NodePoolMode.manage,
  skew: { source: defaultSkewSource, policy: defaultSkewPolicy },
  scope: undefined,
}

/** Whether pools of a cluster are ours. A cluster without a scope belongs to whoever has the empty one. */
export function isInScope({ metadata }: HostedCluster, { scope }: NodePoolSettings): boolean {
  return scope === undefined || (metadata.annotations?.[ClusterAnnotation.scope] ?? '') === scope
}
