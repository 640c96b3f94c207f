import type { HostedCluster, NodePool } from '@windlass/api'
import { findCondition, isTrue } from '@windlass/core'
import { type Laptop, type Release, releasesBefore } from '../fleet/index.ts'

export const poolsOfCluster = 3
export const nodesOfPool = 3

/** What each pool is to run in the end, by its name: what the control plane of its cluster runs. */
export type Wanted = ReadonlyMap<string, Release>

/** Asks for the pools of all clusters at once, each a release behind its control plane. */
export async function createPools(laptop: Laptop): Promise<Wanted> {
  const wanted = new Map<string, Release>()
  const before = releasesBefore()
  const requests: Promise<void>[] = []
  for (const cluster of await laptop.list()) {
    const version = cluster.status?.version?.history?.[0]?.version ?? ''
    const older = before(version)
    if (older === undefined) throw new Error(`HostedCluster ${cluster.metadata.name ?? ''}: there is no release before ${version}`)
    for (let index = 1; index <= poolsOfCluster; index++) {
      const pool = poolOf(cluster, index, older)
      wanted.set(pool.metadata.name ?? '', { version, image: cluster.spec.release.image })
      requests.push(laptop.createPool(pool))
    }
  }
  await Promise.all(requests)
  return wanted
}

/** Asks for the upgrade of all pools at once. */
export async function upgradePools(laptop: Laptop, wanted: Wanted): Promise<void> {
  const pools = await laptop.pools()
  await Promise.all(
    pools.map(async (pool) => {
      const release = wanted.get(pool.metadata.name ?? '')
      if (release !== undefined) await laptop.patchPool(pool, { spec: { release: { image: release.image } } })
    }),
  )
}

/** All of its nodes are there and ready, and nothing is on its way. */
export function isSettled({ spec, status }: NodePool): boolean {
  const isQuiet = ['UpdatingVersion', 'UpdatingConfig'].every((type) => findCondition(status?.conditions, type)?.status === 'False')
  return isQuiet && status?.replicas === spec.replicas && isTrue(status?.conditions, 'AllNodesHealthy')
}

export function isAt({ metadata, status }: NodePool, wanted: Wanted): boolean {
  return status?.version === wanted.get(metadata.name ?? '')?.version
}

function poolOf(
  { metadata: { namespace = '', name = '' } }: HostedCluster,
  index: number,
  { image }: Release,
): Pick<NodePool, 'metadata' | 'spec'> {
  return {
    metadata: { namespace, name: `${name}-workers-${index}` },
    spec: {
      clusterName: name,
      replicas: nodesOfPool,
      arch: 'amd64',
      release: { image },
      platform: {
        type: 'KubeVirt',
        kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: '32Gi' } }, compute: { cores: 2, memory: '8Gi' } },
      },
      management: {
        upgradeType: 'Replace',
        autoRepair: false,
        replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
    },
  }
}
