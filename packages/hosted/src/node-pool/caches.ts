import { capi, ConfigMap, NodePool, Secret } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { cached, type CachedKind, type Ref } from '@windlass/kube'
import { controlPlaneNamespaceOf } from '../hosted-cluster/index.ts'
import { nodePools } from '../management/index.ts'
import { Annotation, Label } from './wire.ts'

/** The pool that an object was made for says so itself. */
const byPool = ({ metadata }: KubernetesObject): readonly string[] => {
  const key = metadata.annotations?.[Annotation.nodePool]
  return key === undefined ? [] : [key]
}

/** Where the control plane of its cluster is. It follows from names alone, so that it is known though the cluster is gone. */
export function homeOf({ metadata: { namespace = '' }, spec }: NodePool): string {
  return controlPlaneNamespaceOf({ metadata: { namespace, name: spec.clusterName } })
}

const referenced = ({ metadata: { namespace = '' }, spec }: NodePool): readonly string[] =>
  [...(spec.config ?? []), ...(spec.tuningConfig ?? [])].map(({ name = '' }) => `${namespace}/${name}`)

const labelled = ({ metadata: { namespace = '', labels } }: ConfigMap): readonly string[] => {
  const pool = labels?.[Label.nodePool]
  return pool === undefined ? [] : [`${namespace}/${pool}`]
}

const core = ({ metadata: { namespace = '', labels } }: ConfigMap): readonly string[] =>
  labels?.[Label.coreConfig] === 'true' ? [namespace] : []

/**
 * What the controllers of node pools keep in memory. Declared once, so that they share it: an index is known by its function.
 *
 * Pools are found by their cluster, by the namespace of its control plane, and by ConfigMaps that they refer to, also by those that are not there yet.
 */
export const pools = cached(NodePool, {
  indexes: { ...nodePools.indexes, home: (pool: NodePool) => [homeOf(pool)], configMap: referenced },
})
export const poolSecrets = cached<Secret, 'nodePool'>(Secret, { indexes: { nodePool: byPool } })
/** `core`: by namespace. `labelled`: by namespace and the pool of their label. */
export const configMaps = cached(ConfigMap, { indexes: { core, labelled } })
export const machines = cached<capi.Machine, 'nodePool'>(capi.Machine, { indexes: { nodePool: byPool } })
export const machineSets = cached<capi.MachineSet, 'nodePool'>(capi.MachineSet, { indexes: { nodePool: byPool } })
export const machineDeployments = cached<capi.MachineDeployment, 'nodePool'>(capi.MachineDeployment, { indexes: { nodePool: byPool } })
export const healthChecks = cached<capi.MachineHealthCheck, 'nodePool'>(capi.MachineHealthCheck, { indexes: { nodePool: byPool } })

/** Templates and what providers make of machines: there is a kind for each provider, and a cluster has those of a few. */
export function ofProvider<T extends KubernetesObject>(kind: CachedKind<T>['kind']): CachedKind<T, 'nodePool'> {
  return cached<T, 'nodePool'>(kind, { indexes: { nodePool: byPool } })
}

/** `<namespace>/<name>`, as the annotation has it, as a reference. What is not of this form concerns nobody. */
export function poolRefOf({ metadata }: KubernetesObject): readonly Ref[] {
  const [namespace, name, ...rest] = (metadata.annotations?.[Annotation.nodePool] ?? '').split('/')
  return namespace && name && rest.length === 0 ? [{ namespace, name }] : []
}
