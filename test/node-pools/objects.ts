import { aHostedCluster, namespace, secretsOf, typed } from '../hosted/cluster.ts'
import type { TestRelease } from '../hosted/releases.ts'

/** A cluster whose machines are made by a provider, with as few components as there can be. */
export function aClusterForNodes(name: string, release: TestRelease): string {
  const spec = {
    platform: { type: 'KubeVirt', kubevirt: {} },
    olmCatalogPlacement: 'guest',
    capabilities: { disabled: ['ImageRegistry', 'NodeTuning', 'Console', 'Ingress'] },
  }
  const annotations = { 'hypershift.openshift.io/disable-pki-reconciliation': 'true' }
  return typed(...secretsOf(name), aHostedCluster(name, release, spec, annotations))
}

export interface PoolRequest {
  readonly cluster: string
  readonly replicas: number
  readonly release: TestRelease
  readonly management: object
}

/** What people type up to have nodes. */
export function aPool(name: string, { cluster, replicas, release, management }: PoolRequest): string {
  return typed({
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { namespace, name },
    spec: {
      clusterName: cluster,
      replicas,
      release: { image: release.pullspec },
      platform: {
        type: 'KubeVirt',
        kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: '32Gi' } }, compute: { cores: 2, memory: '8Gi' } },
      },
      management,
    },
  })
}

/** A ConfigMap that writes one file on every node of a pool that refers to it. */
export function aConfig(name: string, contents: string): string {
  const file = { path: `/etc/${name}`, mode: 0o644, contents: { source: `data:,${contents}` } }
  const machineConfig = {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name },
    spec: { config: { ignition: { version: '3.2.0' }, storage: { files: [file] } } },
  }
  return typed({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { config: JSON.stringify(machineConfig) } })
}
