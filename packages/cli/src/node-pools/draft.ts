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

/** Whose pool it is to be. */
export interface Owner {
  readonly namespace: string
  readonly clusterName: string
  /** Undefined when there is no such cluster yet. */
  readonly platform: HostedCluster['spec']['platform']['type'] | undefined
}

/**
 * The pool that is asked for. Machines of KubeVirt are described by the wishes, and so are those of a cluster that nobody knows anything of; those of other
 * platforms look like those of another pool.
 *
 * Errors: a `Failure` where neither says what machines look like.
 */
export function poolDraft(owner: Owner, like: NodePool | undefined, image: string, wishes: PoolWishes): Draft<NodePool> {
  const { namespace, clusterName } = owner
  const platform = like?.spec.platform ?? platformOf(owner, wishes)
  return {
    metadata: { namespace, name: wishes.name },
    spec: {
      clusterName,
      replicas: wishes.replicas,
      arch: wishes.arch,
      release: { image },
      platform,
      management: {
        upgradeType: wishes.upgradeType ?? defaultUpgradeType(owner.platform ?? platform.type),
        autoRepair: wishes.autoRepair === true,
      },
    },
  }
}

function platformOf(
  { namespace, clusterName, platform: type = 'KubeVirt' }: Owner,
  { cores, memory, rootVolume }: PoolWishes,
): Spec['platform'] {
  if (type === 'None') return { type }
  if (type === 'KubeVirt') {
    return { type, kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: rootVolume } }, compute: { cores, memory } } }
  }
  throw new Failure(
    `machines of ${type} need more than can be said here (HostedCluster ${namespace}/${clusterName}): name a pool that they are to look like with --like`,
  )
}
