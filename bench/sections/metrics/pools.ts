import type { capi, HostedCluster, KubernetesObject, NodePool } from '@windlass/api'
import { aMachineDeployment, aNodePool } from '@windlass/api/fixtures'
import { systemClock as clock } from '@windlass/core'
import { defaultSettings, nodePoolMetrics } from '@windlass/hosted'
import type { CacheReader, Metrics } from '@windlass/kube'

export const poolsOfEach = 3
const versions = ['4.19.6', '4.19.7'] as const

/** Node pools as a cache would have them, with what makes their machines. */
export class Pools {
  readonly #pools: NodePool[]
  #version = 0

  private constructor(pools: NodePool[]) {
    this.#pools = pools
  }

  /** Pools of these clusters, whose metrics are told with others. */
  static async told(metrics: Metrics, clusters: readonly HostedCluster[]): Promise<Pools> {
    const names = clusters.flatMap(({ metadata: { name = '' } }) =>
      Array.from({ length: poolsOfEach }, (_, number) => ({ clusterName: name, name: `${name}-workers-${number}` })),
    )
    const pools = new Pools(names.map(({ name, clusterName }) => aNodePool({ name, spec: { clusterName } })))
    const told = await nodePoolMetrics(clock, metrics, defaultSettings.skew)
    const cache = pools.#cache(clusters)
    // A controller looks at each of them when it starts.
    for (const pool of pools.#pools) told.saw(pool, cache)
    return pools
  }

  /** The first pools go to another version. */
  upgradeSome(count: number): void {
    const version = versions[++this.#version % versions.length] ?? versions[0]
    for (const [index, pool] of this.#pools.slice(0, count).entries()) {
      this.#pools[index] = aNodePool({ name: pool.metadata.name ?? '', release: version, spec: { clusterName: pool.spec.clusterName } })
    }
  }

  #cache(clusters: readonly HostedCluster[]): CacheReader {
    const byName = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]))
    const deployments = new Map<string, readonly capi.MachineDeployment[]>(
      this.#pools.map(({ metadata: { namespace = '', name = '' } }) => [
        `${namespace}/${name}`,
        [aMachineDeployment({ name, spec: { replicas: 3 }, status: { replicas: 3, readyReplicas: 3 } })],
      ]),
    )
    const kindOf = (of: unknown): string => {
      const { kind } = of as { readonly kind: string | { readonly kind: string } }
      return typeof kind === 'string' ? kind : kind.kind
    }
    const lists: Readonly<Record<string, readonly KubernetesObject[]>> = { NodePool: this.#pools, HostedCluster: clusters }
    return {
      list: (of: unknown) => lists[kindOf(of)] ?? [],
      get: (of: unknown, { name }: { readonly name: string }) => (kindOf(of) === 'HostedCluster' ? byName.get(name) : undefined),
      byIndex: (of: unknown, _: string, key: string) => (kindOf(of) === 'MachineDeployment' ? (deployments.get(key) ?? []) : []),
    } as unknown as CacheReader
  }
}
