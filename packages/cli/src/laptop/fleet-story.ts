import { HostedCluster, Namespace } from '@windlass/api'
import { type ControllerDefinition, done, patch, type Plan, plan, refOf, wait } from '@windlass/kube'
import { failureAnnotation } from '@windlass/simulator'
import { nextAnnotation, troubleAnnotation } from './fleet-objects.ts'

interface Observed {
  readonly cluster: HostedCluster
  /** Of its control plane. */
  readonly namespace: Namespace | undefined
}

/**
 * What people do to clusters of the sample fleet while nobody looks: those that were made to be upgraded are, as soon as they are installed. What is
 * left to do is on the clusters themselves.
 */
export const fleetStory: ControllerDefinition<HostedCluster, Observed> = {
  name: 'sample-fleet',
  for: HostedCluster,
  predicate: ({ object: { metadata } }) =>
    metadata.annotations?.[nextAnnotation] !== undefined || metadata.annotations?.[troubleAnnotation] !== undefined,
  reads: [Namespace],
  observe(ref, cache) {
    const cluster = cache.get(HostedCluster, ref)
    return cluster === undefined ? undefined : { cluster, namespace: cache.get(Namespace, { name: `${ref.namespace ?? ''}-${ref.name}` }) }
  },
  decide,
}

function decide({ cluster, namespace }: Observed): Plan {
  const { deletionTimestamp, annotations = {} } = cluster.metadata
  const { [nextAnnotation]: next, [troubleAnnotation]: trouble } = annotations
  if (deletionTimestamp !== undefined) return done
  const history = cluster.status?.version?.history ?? []
  if (next !== undefined) {
    // Somebody was faster, and knows better.
    if (history.length > 1) return plan(told(cluster, { [nextAnnotation]: null, [troubleAnnotation]: null }))
    if (!isSettled(cluster) || namespace === undefined) return wait('the cluster to be installed')
    const release = patch(
      HostedCluster,
      refOf(cluster),
      { metadata: { annotations: { [nextAnnotation]: null } }, spec: { release: { image: next } } },
      'it is installed, and was made to be upgraded',
    )
    return plan(trouble === undefined ? undefined : troubled(namespace, trouble, 'its upgrade is to be worth looking at'), release)
  }
  if (trouble === undefined || history.length < 2 || !isSettled(cluster)) return done
  const isOurs = namespace?.metadata.annotations?.[failureAnnotation] === trouble
  return plan(isOurs ? troubled(namespace, null, 'its upgrade is over') : undefined, told(cluster, { [troubleAnnotation]: null }))
}

/** Both sides have got to where they were to go. */
function isSettled({ status }: HostedCluster): boolean {
  return [status?.version?.history, status?.controlPlaneVersion?.history].every((history) => history?.[0]?.state === 'Completed')
}

function troubled(namespace: Namespace, trouble: string | null, reason: string) {
  return patch(Namespace, refOf(namespace), { metadata: { annotations: { [failureAnnotation]: trouble } } }, reason)
}

function told(cluster: HostedCluster, annotations: Readonly<Record<string, null>>) {
  return patch(HostedCluster, refOf(cluster), { metadata: { annotations } }, 'its story is over')
}
