import { Secret } from '@windlass/api'
import type { HostedCluster, HostedControlPlane } from '@windlass/api'
import { ownerReferenceTo } from './defaults.ts'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { combined, outcome } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { ensured, removed } from './snapshot.ts'
import { Annotation } from './wire.ts'

type ControlPlaneStatus = NonNullable<HostedControlPlane['status']>

/** A Secret of the control plane that people get to see beside their cluster. */
interface BackCopy {
  /** After the name of the cluster. */
  readonly suffix: string
  /** Where the control plane says that the source is; undefined when there is none. */
  source(status: ControlPlaneStatus, cluster: HostedCluster): { readonly name: string; readonly key?: string } | undefined
  /** The only key of the copy; all keys of the source without it. */
  readonly key?: string
  /** Whether the copy goes when there is no source. */
  readonly isWithdrawn: boolean
}

const backCopies = {
  kubeconfig: { suffix: 'admin-kubeconfig', source: ({ kubeConfig }) => kubeConfig, key: 'kubeconfig', isWithdrawn: false },
  customKubeconfig: {
    suffix: 'custom-admin-kubeconfig',
    source: ({ customKubeconfig }) => customKubeconfig,
    key: 'kubeconfig',
    isWithdrawn: true,
  },
  // Whoever configures identity providers has no need of the first password.
  kubeadminPassword: {
    suffix: 'kubeadmin-password',
    source: ({ kubeadminPassword }, { spec }) =>
      kubeadminPassword?.name && spec.configuration?.oauth === undefined ? { name: kubeadminPassword.name } : undefined,
    isWithdrawn: true,
  },
} as const satisfies Readonly<Record<string, BackCopy>>

export type BackCopyName = keyof typeof backCopies

/** The Secret beside the cluster that holds it. */
export function backCopyNameOf({ metadata }: HostedCluster, which: BackCopyName): string {
  return `${metadata.name ?? ''}-${backCopies[which].suffix}`
}

/** Hands kubeconfigs and the first password out to people. They go with the cluster. */
export function kubeconfigAndPasswordSync(observed: ObservedHostedCluster, controlPlane: HostedControlPlane | undefined): Outcome {
  const { status } = controlPlane ?? {}
  if (status === undefined) return outcome({})
  return combined(Object.values(backCopies).map((copy) => copyBack(copy, status, observed)))
}

function copyBack(copy: BackCopy, status: ControlPlaneStatus, { cluster, objects }: ObservedHostedCluster): Outcome {
  const { namespace = '', name: clusterName = '' } = cluster.metadata
  const name = `${clusterName}-${copy.suffix}`
  const ref = copy.source(status, cluster)
  if (ref === undefined) {
    const live = copy.isWithdrawn ? objects.find(Secret, { namespace, name }) : undefined
    const isOurs = live?.metadata.ownerReferences?.some(({ uid }) => uid === cluster.metadata.uid) === true
    return outcome({ actions: isOurs ? removed(Secret, live, 'the control plane has none') : [] })
  }
  const place = `Secret ${controlPlaneNamespaceOf(cluster)}/${ref.name}`
  const source = objects.find(Secret, { namespace: controlPlaneNamespaceOf(cluster), name: ref.name })
  if (source === undefined) return outcome({ problems: [`failed to copy ${copy.suffix}: ${place} not found`] })
  const { data: all = {} } = source
  const value = ref.key === undefined ? undefined : all[ref.key]
  if (ref.key !== undefined && value === undefined)
    return outcome({ problems: [`failed to copy ${copy.suffix}: ${place} must have a key named ${ref.key}`] })
  const metadata = {
    name,
    namespace,
    annotations: { [Annotation.cluster]: clusterKeyOf(cluster) },
    ownerReferences: [ownerReferenceTo(cluster)],
  }
  const data = copy.key === undefined || value === undefined ? all : { [copy.key]: value }
  return outcome({
    actions: ensured(objects, Secret, { metadata, type: 'Opaque', data }, 'people look for it beside the cluster', ['data']),
  })
}
