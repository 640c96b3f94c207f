import { Deployment, HostedControlPlane } from '@windlass/api'
import type { CacheReader, Ref } from '@windlass/kube'
import { kubeconfigs, managementRelease, runningRelease } from './control-plane.ts'

/** The Deployment of a control plane that takes its guest from release to release. */
export const versionOperator = 'cluster-version-operator'

/** What a control plane wants of its guest. */
export interface WantedGuest {
  readonly clusterID: string
  readonly kubeconfig: string
  /** The release that it asks for; undefined while its version operator is not there to hear of it. */
  readonly pullspec: string | undefined
}

/**
 * What a control plane wants of its guest; undefined when it has none, or none any more.
 *
 * A guest lives from the moment that it can be reached and its version operator is there. It goes to another release when the version operator runs the one
 * of the control plane: until then the old one works, and asks for what it always asked for.
 */
export function wantedGuest(ref: Ref, cache: CacheReader): WantedGuest | undefined {
  const controlPlane = cache.get(HostedControlPlane, ref)
  if (controlPlane === undefined || controlPlane.metadata.deletionTimestamp !== undefined) return undefined
  const kubeconfig = kubeconfigOf(controlPlane, cache)
  const operator = cache.get(Deployment, { namespace: ref.namespace ?? '', name: versionOperator })
  if (kubeconfig === undefined || operator === undefined || operator.spec.replicas === 0) return undefined
  const isCurrent = runningRelease(operator) === managementRelease(controlPlane)
  const { clusterID = '', releaseImage } = controlPlane.spec
  return { clusterID, kubeconfig, pullspec: isCurrent ? releaseImage : undefined }
}

function kubeconfigOf({ metadata, status }: HostedControlPlane, cache: CacheReader): string | undefined {
  const ref = status?.kubeConfig
  if (ref === undefined) return undefined
  const text = cache.get(kubeconfigs, { namespace: metadata.namespace ?? '', name: ref.name })?.data?.[ref.key]
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString()
}
