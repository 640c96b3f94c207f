import { capi, KubevirtMachineTemplate, NodePool, Secret } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { PoolAnnotation } from '../wire.ts'
import { hashIn, home, poolIn } from './world.ts'

/** What another controller has left of a pool that has come to rest. */
export interface Leftovers {
  /** Puts it into another world. */
  readonly put: (world: World) => Promise<void>
}

/**
 * The objects of a pool as another controller would have left them: the same machines from the same templates, but under names and hashes that come from other
 * bytes than ours, and without our marks.
 */
export function leftoversOf(world: World, hash: string): Leftovers {
  const pool = poolIn(world)
  const template = world.state.list(KubevirtMachineTemplate)[0]?.metadata.name ?? ''
  const renamed = <T extends KubernetesObject>(object: T): T =>
    JSON.parse(JSON.stringify(object).replaceAll(hashIn(world), hash).replaceAll(template, 'workers-0ther')) as T
  const things = ([KubevirtMachineTemplate, capi.MachineDeployment, Secret] as readonly Resource[]).flatMap((kind) =>
    world.state
      .list(kind, { namespace: home })
      .filter(({ metadata }) => metadata.annotations?.['hypershift.openshift.io/nodePool'] !== undefined)
      .map((object) => ({ kind, object: renamed(object) })),
  )
  return {
    async put({ client }) {
      for (const { kind, object } of things) {
        const { name = '', namespace = '', labels = {}, annotations = {} } = object.metadata
        const { status: _, ...rest } = object as KubernetesObject & { readonly status?: unknown }
        await client.create(kind, { ...rest, metadata: { name, namespace, labels, annotations } })
      }
      if (pool === undefined) throw new Error('there is no pool that something could be left of')
      const { metadata, spec, status } = renamed(pool)
      const { [PoolAnnotation.configDigest]: _, ...annotations } = metadata.annotations ?? {}
      const created = await client.create(NodePool, { metadata: { namespace: 'clusters', name: metadata.name ?? '', annotations }, spec })
      await client.updateStatus(NodePool, { ...created, ...(status === undefined ? {} : { status }) })
    },
  }
}
