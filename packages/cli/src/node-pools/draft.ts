import type { HostedCluster, NodePool } from '@windlass/api'
import { defaultUpgradeType } from '@windlass/hosted'
import type { Draft } from '@windlass/kube'
import { Failure } from '../failures.ts'

type Spec = NodePool['spec']

/** What people say about a pool that is to be. */
export interface PoolWishes {
  readonly name: string
  readonly replicas: number
  readonly arch: NonNullable<Spec['arch']>
  readonly upgradeType?: Spec['management']['upgradeType']
  readonly autoRepair?: true
  readonly cores: number
  readonly memory: string
  readonly rootVolume: string
}

/**
 * The pool that is asked for. Machines of KubeVirt are described by the wishes; those of other platforms look like those of another pool.
 *
 * Errors: a `Failure` where neither says what machines look like.
 */
export function poolDraft(cluster: HostedCluster, like: NodePool | undefined, image: string, wishes: PoolWishes): Draft<NodePool> {
  const { namespace = '', name: clusterName = '' } = cluster.metadata
  const platform = like?.spec.platform ?? platformOf(cluster, wishes)
  return {
    metadata: { namespace, name: wishes.name },
    spec: {
      clusterName,
      replicas: wishes.replicas,
      arch: wishes.arch,
      release: { image },
      platform,
      management: {
        upgradeType: wishes.upgradeType ?? defaultUpgradeType(cluster.spec.platform.type),
        autoRepair: wishes.autoRepair === true,
      },
    },
  }
}

function platformOf({ metadata, spec }: HostedCluster, { cores, memory, rootVolume }: PoolWishes): Spec['platform'] {
  const { type } = spec.platform
  if (type === 'None') return { type }
  if (type === 'KubeVirt') {
    return { type, kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: rootVolume } }, compute: { cores, memory } } }
  }
  throw new Failure(
    `machines of ${type} need more than can be said here (HostedCluster ${metadata.namespace ?? ''}/${metadata.name ?? ''}): name a pool that they are to look like with --like`,
  )
}
