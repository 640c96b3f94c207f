import { capi, type KubernetesObject, NodePool, Node, Pod, type Resource, Secret } from '@windlass/api'
import { cached, type CachedKind, type CacheReader, controllerOf, type Ref } from '@windlass/kube'
import { Annotation, NodeAnnotation } from './wire.ts'

const byController = (object: KubernetesObject): readonly string[] => {
  const owner = controllerOf(object)
  return owner === undefined ? [] : [owner.uid]
}

const byPool = ({ metadata }: KubernetesObject): readonly string[] => {
  const key = metadata.annotations?.[Annotation.nodePool]
  return key === undefined ? [] : [key]
}

const byUserData = ({ metadata: { namespace = '' }, spec }: capi.Machine): readonly string[] => {
  const { dataSecretName } = spec.bootstrap
  return dataSecretName === undefined ? [] : [`${namespace}/${dataSecretName}`]
}

const made = ({ spec }: capi.Machine): readonly string[] => (spec.providerID === undefined ? [] : ['yes'])

const byNode = ({ status }: capi.Machine): readonly string[] => (status?.nodeRef === undefined ? [] : [status.nodeRef.name ?? ''])

/** What simulated machines keep in memory of the management cluster. Declared once, so that the controllers share it. */
export const clusters = cached(capi.Cluster, { keeps: [] })
export const deployments = cached(capi.MachineDeployment)
export const sets = cached<capi.MachineSet, 'controller'>(capi.MachineSet, { indexes: { controller: byController } })
export const machines = cached<capi.Machine, 'controller' | 'nodePool' | 'userData' | 'made' | 'node'>(capi.Machine, {
  indexes: { controller: byController, nodePool: byPool, userData: byUserData, made, node: byNode },
})
export const healthChecks = cached(capi.MachineHealthCheck)
export const secrets = cached(Secret)
/** For the annotation that asks for failures. */
export const pools = cached(NodePool, { keeps: [] })

/** Of guests. */
export const nodes = cached(Node)
export const pods = cached<Pod, 'node'>(Pod, { indexes: { node: ({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName]) } })

const templateCaches = new Map<Resource, CachedKind<KubernetesObject>>()

export function templateCache(kind: Resource): CachedKind<KubernetesObject> {
  const known = templateCaches.get(kind) ?? cached(kind, { keeps: [] })
  templateCaches.set(kind, known)
  return known
}

/** Objects that this one controls, in the order of their names. */
export function controlledBy<T extends KubernetesObject>(
  cache: CacheReader,
  of: CachedKind<T, 'controller'>,
  { metadata }: KubernetesObject,
): readonly T[] {
  return [...cache.byIndex<T, 'controller'>(of, 'controller', metadata.uid ?? '')].sort((a, b) =>
    (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1,
  )
}

/** Whose an object is, by the name of its controller. */
export function controllersOf(kind: Resource): (object: KubernetesObject) => readonly Ref[] {
  return (object) => {
    const owner = controllerOf(object)
    if (owner === undefined || owner.kind !== kind.kind || !owner.apiVersion.startsWith(`${kind.group}/`)) return []
    return [{ namespace: object.metadata.namespace ?? '', name: owner.name }]
  }
}

/** The Machine that a Node was made from. */
export function machineOf({ metadata: { annotations } }: Node): Ref | undefined {
  const [namespace, name] = [annotations?.[NodeAnnotation.clusterNamespace], annotations?.[NodeAnnotation.machine]]
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}

/** The pool of an object, by its annotation. */
export function poolOf({ metadata }: KubernetesObject, cache: CacheReader): NodePool | undefined {
  const [namespace = '', name = ''] = (metadata.annotations?.[Annotation.nodePool] ?? '').split('/')
  return name === '' ? undefined : cache.get(pools, { namespace, name })
}
