import { capi, HostedCluster, KubevirtMachineTemplate, NodePool, Secret } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { encoded, packed, unpacked } from '../token/encoding.ts'
import { Annotation, finalizer, PoolAnnotation } from '../wire.ts'
import { hashIn, home, poolIn } from './world.ts'

/** What another controller has left of a pool that has come to rest. */
export interface Leftovers {
  /** Puts it into another world. */
  readonly put: (world: World) => Promise<void>
}

/** What it came to, where we would come to something else. */
export const foreign = { hash: '1a2b3c4d', configHash: '0a0b0c0d', template: 'workers-5e6f7a8b' } as const

const kinds: readonly Resource[] = [KubevirtMachineTemplate, capi.MachineDeployment, capi.MachineSet, Secret]

/**
 * The objects of a pool as another controller would have left them: the same machines from the same templates, but under names and hashes that come from other
 * bytes than ours, and without our marks. MachineSets that Cluster API has made of a MachineDeployment are its own business, and so are Machines.
 */
export function leftoversOf(world: World): Leftovers {
  const pool = poolIn(world)
  if (pool === undefined) throw new Error('there is no pool that something could be left of')
  const template = pool.metadata.annotations?.[PoolAnnotation.machineTemplate] ?? ''
  const names = (text: string): string => text.replaceAll(hashIn(world), foreign.hash).replaceAll(template, foreign.template)
  const renamed = <T extends KubernetesObject>(object: T): T => JSON.parse(names(JSON.stringify(object))) as T
  const things = kinds.flatMap((kind) =>
    world.state
      .list(kind, { namespace: home })
      .filter(({ metadata }) => metadata.annotations?.[Annotation.nodePool] !== undefined && metadata.ownerReferences === undefined)
      .map((object) => ({ kind, object: inOtherBytes(renamed(object), names) })),
  )
  return {
    async put({ client }) {
      for (const { kind, object } of things) {
        const { name = '', namespace = '', labels = {}, annotations = {} } = object.metadata
        const { status: _, ...rest } = object as KubernetesObject & { readonly status?: unknown }
        await client.create(kind, { ...rest, metadata: { name, namespace, labels, annotations } })
      }
      const { metadata, spec, status } = renamed(pool)
      const { [PoolAnnotation.configDigest]: _, ...annotations } = metadata.annotations ?? {}
      const { apiVersion, kind, metadata: owner } = await client.get(HostedCluster, { namespace: 'clusters', name: spec.clusterName })
      const created = await client.create(NodePool, {
        metadata: {
          namespace: 'clusters',
          name: metadata.name ?? '',
          annotations: { ...annotations, [PoolAnnotation.currentConfig]: foreign.configHash },
          finalizers: [finalizer],
          ownerReferences: [{ apiVersion, kind, name: owner.name ?? '', uid: owner.uid ?? '' }],
        },
        spec,
      })
      await client.updateStatus(NodePool, { ...created, ...(status === undefined ? {} : { status }) })
    },
  }
}

/** The same user data with other spaces in it, the same configuration with other line ends: nobody writes YAML and JSON as we do, byte by byte. */
function inOtherBytes(object: KubernetesObject, names: (text: string) => string): KubernetesObject {
  if (object.kind !== 'Secret') return object
  const { data = {} } = object as Secret
  const changed = Object.entries(data).map(([key, value]): [string, string] => {
    const text = Buffer.from(value, 'base64').toString()
    if (key === 'value') return [key, encoded(JSON.stringify(JSON.parse(names(text)), undefined, 2))]
    return [key, key === 'config' ? encoded(packed(`${unpacked(text)}\n`)) : value]
  })
  return { ...object, data: Object.fromEntries(changed) } as Secret
}
