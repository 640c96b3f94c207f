import { bootstrapRbac } from '../auth/index.ts'
import type { Cluster } from '../clusters/cluster.ts'
import { crdGroup, crdResource } from '../clusters/cluster.ts'
import { Actor } from '../controllers/actor.ts'
import { decideCrdStatus } from '../crd/index.ts'
import { equalJson, isObject, type JsonObject } from '../json.ts'
import type { Served } from '../registry/catalog.ts'
import { decodeObject } from '../registry/decode.ts'
import { nameOf } from '../registry/object-meta.ts'
import { keyFor } from '../registry/stored.ts'

/** Namespaces that every cluster has from the start. */
const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

const actor = new Actor('windlass')

/**
 * Puts in place what a cluster must have before anybody uses it. What is already there stays as it is. All of it goes to the disk in one
 * step: writes see those before them, durable or not.
 */
export async function bootstrap(cluster: Cluster, options: { readonly rbac: boolean }): Promise<void> {
  const spaces = namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  const rbac = options.rbac ? ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] : []
  await Promise.all([
    ensure(cluster, find(cluster, '', 'namespaces'), spaces),
    ...rbac.map((resource) => {
      const served = find(cluster, 'rbac.authorization.k8s.io', resource)
      return ensure(
        cluster,
        served,
        bootstrapRbac().filter((object) => object.kind === served.type.kind),
      )
    }),
  ])
}

function find(cluster: Cluster, group: string, resource: string): Served {
  const served = cluster.catalog.stored(group, resource)
  if (served === undefined) throw new Error(`the server has no ${resource}`)
  return served
}

async function ensure(cluster: Cluster, served: Served, objects: readonly JsonObject[]): Promise<void> {
  await Promise.all(
    objects.map(async (object) => {
      const namespace = isObject(object.metadata) && typeof object.metadata.namespace === 'string' ? object.metadata.namespace : ''
      if (cluster.store.get(keyFor(cluster.cluster, served.type, namespace, nameOf(object))) !== undefined) return
      await actor.create(cluster, served, namespace, decoded(cluster, served, object))
    }),
  )
}

function decoded(cluster: Cluster, served: Served, object: JsonObject): JsonObject {
  const context = { now: cluster.clock.now(), random: cluster.random, subresource: '', user: '' }
  return decodeObject(served, object, context).object
}

/** Installs CustomResourceDefinitions, or brings their specs up to date. */
export async function installDefinitions(cluster: Cluster, definitions: readonly JsonObject[]): Promise<void> {
  const served = find(cluster, crdGroup, crdResource)
  for (const definition of definitions) {
    const wanted = decoded(cluster, served, definition)
    await ensure(cluster, served, [definition])
    await actor.change(cluster, served, { namespace: '', name: nameOf(definition) }, (current) =>
      equalJson(current.spec, wanted.spec) || wanted.spec === undefined ? current : { ...current, spec: wanted.spec },
    )
    // Nobody is there yet who could see them half done: they are served at once.
    await actor.change(cluster, served, { namespace: '', name: nameOf(definition), subresource: 'status' }, (current) => {
      const status = decideCrdStatus(current, [], cluster.clock.now())
      return status === current.status ? current : { ...current, status }
    })
  }
}
