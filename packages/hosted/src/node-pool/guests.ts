import { HostedCluster, Node, Secret } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { cached, ClusterFollower } from '@windlass/kube'
import type { CacheReader, Client, FollowedCluster, ReconcileContext, Ref, Source } from '@windlass/kube'
import { controlPlaneNamespaceOf, failed, found, type Lookup } from '../hosted-cluster/index.ts'
import { NodeAnnotation } from './wire.ts'

/** The Nodes of guests. Heartbeats are not what anybody here waits for, but capacity and images are most of a Node. */
export const nodes = cached(Node, { keeps: ['spec', 'status.conditions', 'status.nodeInfo'] })

/** The guests of hosted clusters, as far as node pools look into them: their Nodes, and a client for the rest. */
export class Guests {
  readonly #follower: ClusterFollower

  constructor(connect: (kubeconfig: string, name: string) => Client | Promise<Client>) {
    this.#follower = new ClusterFollower({ connect, kinds: [nodes] })
  }

  /** The guest of a pool; or why it cannot be looked into. */
  ofPool({ metadata: { namespace = '' }, spec }: NodePool, context: ReconcileContext): Promise<Lookup<FollowedCluster>> {
    return this.ofCluster({ namespace, name: spec.clusterName }, context)
  }

  async ofCluster(ref: Ref, context: ReconcileContext): Promise<Lookup<FollowedCluster>> {
    const kubeconfig = kubeconfigOf(ref, context.cache)
    if (kubeconfig.is === 'failed') return kubeconfig
    try {
      const guest = await this.#follower.follow(nameOf(ref), kubeconfig.value, context)
      return guest.problem === undefined ? found(guest) : failed(guest.problem)
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error))
    }
  }

  forget(ref: Ref): void {
    this.#follower.forget(nameOf(ref))
  }

  /** Gives those of ours that a Node concerns, whenever one changes. */
  changes(map: (node: Node, cache: CacheReader) => readonly Ref[]): Source {
    return this.#follower.source(nodes, map)
  }
}

/** The Machine that a Node was made from, by what the Node says. */
export function machineRefOf({ metadata: { annotations } }: Node): Ref | undefined {
  const [namespace, name] = [annotations?.[NodeAnnotation.clusterNamespace], annotations?.[NodeAnnotation.machine]]
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}

function nameOf({ namespace = '', name }: Ref): string {
  return controlPlaneNamespaceOf({ metadata: { namespace, name } })
}

function kubeconfigOf({ namespace = '', name }: Ref, cache: CacheReader): Lookup<string> {
  const cluster = cache.get(HostedCluster, { namespace, name })
  const secretName = cluster?.status?.kubeconfig?.name
  if (!secretName) return failed(`HostedCluster ${namespace}/${name} has no kubeconfig yet`)
  const text = cache.get(Secret, { namespace, name: secretName })?.data?.['kubeconfig']
  if (text === undefined) return failed(`Secret ${namespace}/${secretName} has no kubeconfig`)
  return found(Buffer.from(text, 'base64').toString())
}
