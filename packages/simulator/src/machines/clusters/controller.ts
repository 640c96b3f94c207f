import { capi } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import {
  changed,
  type ControllerDefinition,
  done,
  ensureFinalizer,
  type Plan,
  plan,
  type Ref,
  remove,
  wait,
  watching,
  withoutFinalizer,
} from '@windlass/kube'
import { clusters, deployments, machines, sets } from '../caches.ts'
import { clusterFinalizer } from '../wire.ts'

interface Observed {
  readonly cluster: capi.Cluster
  readonly deployments: readonly capi.MachineDeployment[]
  readonly sets: readonly capi.MachineSet[]
  readonly machines: readonly capi.Machine[]
}

type OfCluster = KubernetesObject & { readonly spec: { readonly clusterName: string } }

/** Whose machines they are. */
const clusterOf = ({ metadata: { namespace = '' }, spec }: OfCluster): readonly Ref[] => [{ namespace, name: spec.clusterName }]

/** Takes the machines of a cluster down with it. Whoever waits for the cluster to be gone waits for them. */
export const machineClusters: ControllerDefinition<capi.Cluster, Observed> = {
  name: 'simulated-clusters',
  for: clusters,
  watches: [
    watching(
      machines,
      clusterOf,
      changed(({ metadata }) => metadata.deletionTimestamp),
    ),
  ],
  reads: [deployments, sets],
  observe(ref, cache) {
    const cluster = cache.get(clusters, ref)
    if (cluster === undefined) return undefined
    const isOurs = ({ spec }: OfCluster): boolean => spec.clusterName === ref.name
    const place = { namespace: ref.namespace ?? '' }
    return {
      cluster,
      deployments: cache.list(deployments, place).filter(isOurs),
      sets: cache.list(sets, place).filter(isOurs),
      machines: cache.list(machines, place).filter(isOurs),
    }
  },
  decide,
}

function decide(observed: Observed): Plan {
  const { cluster } = observed
  if (cluster.metadata.deletionTimestamp === undefined) return plan(ensureFinalizer(capi.Cluster, cluster, clusterFinalizer))
  if (!(cluster.metadata.finalizers ?? []).includes(clusterFinalizer)) return done
  const because = 'its cluster is being deleted'
  const going = [
    ...observed.deployments.filter(isStaying).map((each) => remove(capi.MachineDeployment, each, because)),
    ...observed.sets.filter(isStaying).map((each) => remove(capi.MachineSet, each, because)),
    ...observed.machines.filter(isStaying).map((each) => remove(capi.Machine, each, because)),
  ]
  if (observed.machines.length > 0) return plan(...going, wait(`${observed.machines.length} machines to be gone`))
  return plan(...going, withoutFinalizer(capi.Cluster, cluster, clusterFinalizer))
}

function isStaying({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp === undefined
}
