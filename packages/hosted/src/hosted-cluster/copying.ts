import { ConfigMap, Secret } from '@windlass/api'
import type { HostedCluster, KubernetesObject, Resource } from '@windlass/api'
import { patch, refOf } from '@windlass/kube'
import type { Action, Draft } from '@windlass/kube'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { combined, outcome } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { ensured, removed } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { Annotation, referencedBy } from './wire.ts'

/** What a copy holds; labels and annotations besides the mark of the cluster where they matter. */
export type Contents<T extends KubernetesObject> = Omit<Draft<T>, 'metadata'> & {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> }
}

/** One object of the user that the control plane needs in its own namespace. */
export interface Copy<T extends KubernetesObject = KubernetesObject> {
  readonly kind: Resource<T>
  /** What people call it: `pull secret`, `SSHKey`. */
  readonly what: string
  /** In the namespace of the cluster. */
  readonly source: string
  /** In the namespace of the control plane. */
  readonly target: string
  /** What the copy holds, or why there cannot be one. */
  read(source: T): Contents<T> | string
  /** A source that is there but cannot be used is only worth a line in the log: trying again does not mend it. */
  readonly isForgiving?: boolean
}

/** A copy that has no source any more. */
export interface Unset {
  readonly kind: Resource<Secret> | Resource<ConfigMap>
  readonly target: string
}

/** Brings copies up to date. Sources are marked, so that their changes find the cluster. */
export function copied<T extends KubernetesObject>(copies: readonly Copy<T>[], observed: ObservedHostedCluster): Outcome {
  return combined(copies.map((copy) => copyOne(copy, observed)))
}

function copyOne<T extends KubernetesObject>(copy: Copy<T>, { cluster, objects }: ObservedHostedCluster): Outcome {
  const { namespace = '' } = cluster.metadata
  const source = objects.find(copy.kind, { namespace, name: copy.source })
  if (source === undefined)
    return outcome({ problems: [`failed to get ${copy.what} ${copy.kind.kind} ${namespace}/${copy.source}: not found`] })
  const mark = markAsReferenced(copy.kind, source, cluster)
  const contents = copy.read(source)
  if (typeof contents === 'string') {
    const problem = `${copy.what} ${copy.kind.kind} ${namespace}/${copy.source} ${contents}`
    return outcome({ actions: mark, ...(copy.isForgiving === true ? { notes: [problem] } : { problems: [problem] }) })
  }
  const reason = `the control plane needs the ${copy.what} in its own namespace`
  return outcome({ actions: [...mark, ...ensuredCopy(objects, copy.kind, copy.target, contents, cluster, reason)] })
}

/** Makes an object in the namespace of the control plane look like this, marked as made for the cluster. */
export function ensuredCopy<T extends KubernetesObject>(
  objects: Snapshot,
  kind: Resource<T>,
  name: string,
  contents: Contents<T>,
  cluster: HostedCluster,
  reason: string,
): readonly Action[] {
  const { labels, annotations } = contents.metadata ?? {}
  const metadata = {
    name,
    namespace: controlPlaneNamespaceOf(cluster),
    ...(labels === undefined ? {} : { labels }),
    annotations: { ...annotations, [Annotation.cluster]: clusterKeyOf(cluster) },
  }
  // The contents are a whole draft but for its metadata, which TypeScript cannot put together for a generic type.
  const draft = { ...contents, metadata } as unknown as Draft<T> & { readonly metadata: typeof metadata }
  return ensured(objects, kind, draft, reason, ['data', 'binaryData'])
}

/** Removes what was copied for a reference that is gone. Only what we made: it carries our mark. */
export function uncopied({ kind, target }: Unset, { cluster, objects }: ObservedHostedCluster): Outcome {
  const live = objects.find<Secret | ConfigMap>(kind, { namespace: controlPlaneNamespaceOf(cluster), name: target })
  const isOurs = live?.metadata.annotations?.[Annotation.cluster] === clusterKeyOf(cluster)
  return outcome({ actions: isOurs ? removed<Secret | ConfigMap>(kind, live, 'the cluster does not refer to one any more') : [] })
}

function markAsReferenced<T extends KubernetesObject>(kind: Resource<T>, source: T, cluster: HostedCluster): readonly Action[] {
  const mark = referencedBy(cluster.metadata.name ?? '')
  if (source.metadata.annotations?.[mark] === 'true') return []
  return [
    patch(
      kind,
      refOf(source),
      { metadata: { annotations: { [mark]: 'true' } } },
      'its changes concern the HostedCluster that refers to it',
    ),
  ]
}
