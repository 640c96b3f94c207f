import { type Deployment, HostedControlPlane, type KubernetesObject, Secret } from '@windlass/api'
import { cached, type CacheReader, type Predicate, type Ref, refOf } from '@windlass/kube'

/** On every Pod of a control plane: the release image that it belongs to. */
export const releaseImageAnnotation = 'hypershift.openshift.io/release-image'

/** Secrets are read for kubeconfigs alone. */
export const kubeconfigs = cached(Secret, { keeps: ['data'] })

/** Control planes are told apart by their namespaces. */
export function controlPlanesIn(namespace: string | undefined, cache: CacheReader): readonly Ref[] {
  return cache.list(HostedControlPlane, { namespace: namespace ?? '' }).map(refOf)
}

/** The release that a control plane runs on the management side; its guest may be asked for another one. */
export function managementRelease({ spec }: HostedControlPlane): string {
  return spec.controlPlaneReleaseImage ?? spec.releaseImage
}

/** Images that the control plane runs in the place of those of its release, by their names in it. What cannot be read is refused by whoever runs it. */
export function imagesInPlace({ metadata }: HostedControlPlane): ReadonlyMap<string, string> {
  const pairs = (metadata.annotations?.['hypershift.openshift.io/image-overrides'] ?? '').split(',')
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()]))
}

/** The release image that a Deployment runs in all of its Pods; undefined while it rolls out, and when it has none. */
export function runningRelease({ metadata, spec, status }: Deployment): string | undefined {
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {}
  const wanted = spec.replicas ?? 1
  const counts = [replicas, updatedReplicas, availableReplicas]
  const isRolledOut = wanted > 0 && observedGeneration === (metadata.generation ?? 0) && counts.every((count) => count === wanted)
  return isRolledOut ? spec.template.metadata?.annotations?.[releaseImageAnnotation] : undefined
}

/** Only objects of these names. */
export function named<T extends KubernetesObject>(...names: readonly string[]): Predicate<T> {
  return ({ object }) => names.includes(object.metadata.name ?? '')
}
