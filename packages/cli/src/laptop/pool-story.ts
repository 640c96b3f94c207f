import { type KubernetesObject, Namespace, Node, NodePool, Pod, PodDisruptionBudget, type Resource, Secret } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { type AsyncControllerDefinition, type Client, type Draft, patch, type Plan, plan, refOf, wait } from '@windlass/kube'
import { createOnce } from './create-once.ts'
import { nextAnnotation } from './fleet-objects.ts'

/** From the kubeconfig of a guest to a client for it. */
type Connect = (kubeconfig: string, name: string) => Client | Promise<Client>

/**
 * What people do to node pools of the sample fleet while nobody looks: those that were made to be upgraded are, as soon as their nodes are there. Before that,
 * somebody puts on these nodes what may not be disturbed.
 */
export function poolStory(connect: Connect): AsyncControllerDefinition<NodePool> {
  return {
    name: 'sample-pools',
    for: NodePool,
    predicate: ({ object: { metadata } }) => metadata.annotations?.[nextAnnotation] !== undefined,
    reads: [Secret],
    async reconcile(ref, { cache, signal }) {
      const pool = cache.get(NodePool, ref)
      const next = pool?.metadata.annotations?.[nextAnnotation]
      if (pool === undefined || next === undefined || pool.metadata.deletionTimestamp !== undefined) return plan()
      if (!isSettled(pool)) return wait('the nodes of the pool')
      const kubeconfig = cache.get(Secret, { namespace: ref.namespace ?? '', name: `${pool.spec.clusterName}-admin-kubeconfig` })?.data?.[
        'kubeconfig'
      ]
      if (kubeconfig === undefined) return wait('the kubeconfig of the guest')
      const guest = await connect(Buffer.from(kubeconfig, 'base64').toString(), pool.spec.clusterName)
      try {
        await openShop(guest, signal)
      } finally {
        await guest.close()
      }
      return upgraded(pool, next)
    },
  }
}

function isSettled({ spec, status }: NodePool): boolean {
  const isUpdating = findCondition(status?.conditions, 'UpdatingVersion')?.status !== 'False'
  return !isUpdating && status?.version !== undefined && status.replicas === spec.replicas
}

function upgraded(pool: NodePool, image: string): Plan {
  const change = { metadata: { annotations: { [nextAnnotation]: null } }, spec: { release: { image } } }
  return plan(patch(NodePool, refOf(pool), change, 'its nodes are there, and it was made to be upgraded'))
}

const namespace = 'shop'
const labels = { app: 'checkout' }
const image = 'example.com/shop/checkout:1'

/** A Pod on each node, and a budget that lets none of them go. Nobody in the guest counts them, so it is said here how many there are. */
async function openShop(guest: Client, signal: AbortSignal): Promise<void> {
  const make = <T extends KubernetesObject>(kind: Resource<T>, draft: Draft<T>) => createOnce(guest, kind, draft, signal)
  await make(Namespace, { metadata: { name: namespace } })
  let count = 0
  for await (const { metadata } of guest.list(Node, { signal })) {
    const name = `checkout-${count++}`
    const spec = { nodeName: metadata.name ?? '', containers: [{ name: 'checkout', image }] }
    await make(Pod, { metadata: { namespace, name, labels }, spec })
    const container = { name: 'checkout', image, imageID: image, ready: true, restartCount: 0 }
    const running = { phase: 'Running' as const, conditions: [{ type: 'Ready', status: 'True' as const }], containerStatuses: [container] }
    await guest.patchStatus(Pod, { namespace, name }, { status: running }, { signal })
  }
  await make(PodDisruptionBudget, {
    metadata: { namespace, name: 'checkout' },
    spec: { minAvailable: '100%', selector: { matchLabels: labels } },
  })
  const status = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: count, desiredHealthy: count, expectedPods: count }
  await guest.patchStatus(PodDisruptionBudget, { namespace, name: 'checkout' }, { status }, { signal })
}
