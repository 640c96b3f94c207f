import type { capi, ConfigMap, HostedCluster, KubernetesObject, NodePool, Secret } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { changed, refOf, watching } from '@windlass/kube'
import type { CacheReader, Ref, Watching } from '@windlass/kube'
import { clusterKeyOf } from '../hosted-cluster/index.ts'
import { clusters } from '../management/index.ts'
import { configMaps, healthChecks, machineDeployments, machines, machineSets, poolRefOf, pools, poolSecrets } from './caches.ts'
import { type NodePoolSources, providerCache, templateCache } from './observe.ts'
import { cloudConfigs, ignitionCASecret, Label } from './wire.ts'

/** What concerns a pool, and how it is found from there. */
export function watchesOf({ templates, providerMachines = [] }: NodePoolSources): readonly Watching[] {
  return [
    watching(clusters, poolsOfCluster),
    watching(machineDeployments, poolRefOf),
    watching(machineSets, poolRefOf),
    watching(machines, poolRefOf),
    // Counting healthy machines changes it all the time; what pools repeat of it is whether broken ones may be replaced.
    watching(healthChecks, poolRefOf, changed(remediationOf)),
    ...templates.map((kind) => watching(templateCache(kind), poolRefOf)),
    ...providerMachines.map((kind) => watching(providerCache(kind), poolRefOf)),
    watching(poolSecrets, (secret, cache) => [...poolRefOf(secret), ...bySecret(secret, cache)]),
    watching(configMaps, byConfigMap),
  ]
}

/** All pools of a cluster. */
export function poolsOfCluster(cluster: HostedCluster, cache: CacheReader): readonly Ref[] {
  return cache.byIndex(pools, 'cluster', clusterKeyOf(cluster)).map(refOf)
}

function remediationOf({ status }: capi.MachineHealthCheck): readonly unknown[] {
  const { status: allowed, reason, message } = findCondition(status?.conditions, 'RemediationAllowed') ?? {}
  return [allowed, reason, message]
}

/** Pull secrets are the cluster's; what nodes verify the ignition server with is in the namespace of its control plane. */
function bySecret({ metadata: { namespace = '', name = '' } }: Secret, cache: CacheReader): readonly Ref[] {
  if (name === ignitionCASecret) return cache.byIndex(pools, 'home', namespace).map(refOf)
  return cache.byIndex(clusters, 'secret', `${namespace}/${name}`).flatMap((cluster) => poolsOfCluster(cluster, cache))
}

/**
 * Those that refer to it, those whose cluster does, those whose label it carries; and all pools of a control plane, for what is configured there for all of
 * them.
 */
function byConfigMap(configMap: ConfigMap, cache: CacheReader): readonly Ref[] {
  const { namespace = '', name = '', labels = {} } = configMap.metadata
  const neighbours = (): readonly NodePool[] => cache.byIndex(pools, 'home', namespace)
  const isForAll = labels[Label.coreConfig] === 'true' || Object.values(cloudConfigs).includes(name)
  const label = labels[Label.nodePool]
  return [
    ...cache.byIndex(pools, 'configMap', `${namespace}/${name}`).map(refOf),
    ...cache.byIndex(clusters, 'configMap', `${namespace}/${name}`).flatMap((cluster) => poolsOfCluster(cluster, cache)),
    ...(isForAll ? neighbours() : label === undefined ? [] : neighbours().filter(hasName(label))).map(refOf),
  ]
}

function hasName(name: string): (object: KubernetesObject) => boolean {
  return ({ metadata }) => metadata.name === name
}
