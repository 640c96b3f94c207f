import { capi, ConfigMap, NodePool, Secret } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import { type Action, remove, withoutFinalizer } from '@windlass/kube'
import type { ObservedNodePool } from './observed.ts'
import { kindOfTemplate } from './templates/index.ts'
import { finalizer } from './wire.ts'

export interface Deletion {
  readonly actions: readonly Action[]
  /** What it waits for. */
  readonly waitingFor?: string
  readonly error: string | undefined
}

/**
 * Takes a pool down. In this order, because providers still need the Secrets of a machine to delete it; the finalizer goes last.
 *
 * The cluster plays no part: it may be gone. Nor does a pause: who deletes a pool wants it gone.
 */
export function decideDeletion(observed: ObservedNodePool): Deletion {
  const { pool, templates, machineDeployment, healthChecks, machineSets, configMaps, machines, secrets } = observed
  const because = 'its pool is being deleted'
  const machinery: readonly Action[] = [
    ...templates.flatMap((template) => {
      const kind = kindOfTemplate(template)
      return kind === undefined ? [] : going(kind, template, because)
    }),
    ...(machineDeployment === undefined ? [] : going(capi.MachineDeployment, machineDeployment, because)),
    ...healthChecks.flatMap((healthCheck) => going(capi.MachineHealthCheck, healthCheck, because)),
    ...machineSets.flatMap((machineSet) => going(capi.MachineSet, machineSet, because)),
    ...configMaps.mirrored.flatMap((configMap) => going(ConfigMap, configMap, because)),
  ]
  const { name = '' } = pool.metadata
  if (machines.is === 'failed')
    return { actions: machinery, error: `the Machines of NodePool "${name}" cannot be listed: ${machines.problem}` }
  // Nothing is wrong about it: machines take their time. Whoever looks at the pool is told all the same.
  if (machines.value.length > 0) {
    return { actions: machinery, waitingFor: `there are still Machines in for NodePool "${name}"`, error: undefined }
  }
  if (secrets.is === 'failed')
    return { actions: machinery, error: `the Secrets of NodePool "${name}" cannot be listed: ${secrets.problem}` }
  const last = withoutFinalizer(NodePool, pool, finalizer)
  return {
    actions: [...machinery, ...secrets.value.flatMap((secret) => going(Secret, secret, because)), ...(last === undefined ? [] : [last])],
    error: undefined,
  }
}

function going<T extends KubernetesObject>(kind: Resource<T>, object: T, because: string): readonly Action[] {
  return object.metadata.deletionTimestamp === undefined ? [remove(kind, object, because)] : []
}
