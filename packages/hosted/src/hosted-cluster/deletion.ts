import { capi, ConfigMap, Deployment, HostedCluster, HostedControlPlane, Namespace, NodePool, Secret } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import { isTrue } from '@windlass/core'
import { patch, refOf, withoutFinalizer } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import { capiClusterOf, pausedAs } from './cluster-api.ts'
import { withdrawCredentials } from './credentials.ts'
import { gracePeriod } from './grace-period.ts'
import { endpointLeftovers, orphanedMachines } from './leftovers.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import { nodePoolsOf } from './observed.ts'
import { ownerLabelsOf, removeOwned, revokeAccess } from './rbac.ts'
import type { Seen } from './seen.ts'
import { removed } from './snapshot.ts'
import type { Verdict } from './verdict.ts'
import { Annotation, Finalizer, referencedBy } from './wire.ts'

/** How often a deletion is looked at while it waits. */
const pollMilliseconds = 5_000

/** What one step of a deletion comes to. It is passed when it neither waits nor fails. */
export interface DeletionStep {
  readonly actions?: readonly Action[]
  /** What must happen before the next step, for people. */
  readonly waitsFor?: string
  /** Looks again after so long; every five seconds unless told. */
  readonly milliseconds?: number
  readonly problem?: string
  /** What the condition HostedClusterDestroyed is to say. */
  readonly destroyed?: Verdict
}

type Step = (seen: Seen) => DeletionStep

const going = 'the cluster is being deleted'

/** Takes the cluster down. Each pass starts from the top: what is done already is passed at once. */
const teardown: readonly Step[] = [
  unpause,
  releaseKarpenter,
  propagateCleanup,
  deleteNodePools,
  deleteCapiCluster,
  deletePlatformObjects,
  (seen) => ({ actions: revokeAccess(seen) }),
  deleteControlPlane,
  // Documents for identity providers are not in the API; whoever publishes them holds the cluster with a finalizer of their own.
  deleteNamespace,
]

/** What is left to do when the cluster is down: it may still stay for a while. */
const farewell: readonly Step[] = [(seen) => ({ actions: removeOwned(seen) }), unmarkReferences, waitForGracePeriod, removeFinalizer]

/** The whole of a deletion, as far as it gets in this pass. */
export interface Deletion {
  readonly actions: readonly Action[]
  readonly waitingFor: string | undefined
  readonly requeueAfter: number | undefined
  readonly problem: string | undefined
  readonly destroyed: Verdict | undefined
}

/**
 * Decides the next steps of a deletion. It ignores a pause.
 *
 * Caveat: once HostedClusterDestroyed is True, the cluster is not taken down again, not even if something of it came back.
 */
export function decideDeletion(seen: Seen): Deletion {
  const isDestroyed = isTrue(seen.cluster.status?.conditions, 'HostedClusterDestroyed')
  const actions: Action[] = []
  for (const step of isDestroyed ? farewell : [...teardown, ...farewell]) {
    const { actions: more = [], waitsFor, milliseconds = pollMilliseconds, problem, destroyed } = step(seen)
    actions.push(...more)
    if (waitsFor !== undefined) return { actions, waitingFor: waitsFor, requeueAfter: milliseconds, problem: undefined, destroyed }
    if (problem !== undefined) return { actions, waitingFor: undefined, requeueAfter: undefined, problem, destroyed: undefined }
  }
  return { actions, waitingFor: undefined, requeueAfter: undefined, problem: undefined, destroyed: undefined }
}

/** Machines cannot be deleted while Cluster API stands still. */
function unpause(seen: Seen): DeletionStep {
  return { actions: pausedAs(seen, false) }
}

/** The operator of Karpenter takes its finalizer away itself, unless it is gone or cannot reach the guest any more. */
function releaseKarpenter({ cluster, controlPlane, objects }: Seen): DeletionStep {
  const isOn = cluster.spec.autoNode?.provisionerConfig.name === 'Karpenter'
  const apiServer = objects.find(Deployment, { namespace: controlPlaneNamespaceOf(cluster), name: 'kube-apiserver' })
  if (controlPlane === undefined || (isOn && isTrue(apiServer?.status?.conditions, 'Available'))) return {}
  return { actions: present(withoutFinalizer(HostedControlPlane, controlPlane, Finalizer.karpenter)) }
}

function propagateCleanup({ cluster, controlPlane }: Seen): DeletionStep {
  const key = Annotation.cleanupCloudResources
  const isAsked = cluster.metadata.annotations?.[key] === 'true'
  if (!isAsked || controlPlane === undefined || controlPlane.metadata.annotations?.[key] === 'true') return {}
  const change = { metadata: { annotations: { [key]: 'true' } } }
  return { actions: [patch(HostedControlPlane, refOf(controlPlane), change, 'what the guest has in the cloud is to go with it')] }
}

/** They go together with the machines, which is waited for next. */
function deleteNodePools(seen: Seen): DeletionStep {
  return { actions: nodePoolsOf(seen).flatMap((pool) => removed(NodePool, pool, going)) }
}

function deleteCapiCluster(seen: Seen): DeletionStep {
  const { cluster, objects } = seen
  const live = capiClusterOf(seen)
  if (live !== undefined) {
    return {
      actions: [...removed(capi.Cluster, live, going), ...orphanedMachines(seen)],
      waitsFor: `Cluster ${live.metadata.namespace}/${live.metadata.name} and its machines to be gone`,
    }
  }
  const namespace = controlPlaneNamespaceOf(cluster)
  const deployments = capiDeployments.map((name) => objects.find(Deployment, { namespace, name }))
  return {
    actions: deployments.flatMap((deployment) =>
      deployment === undefined ? [] : present(withoutFinalizer(Deployment, deployment, Finalizer.component)),
    ),
  }
}

/** Deployments that look after machines, and so must outlive them. */
export const capiDeployments = ['cluster-api', 'capi-provider'] as const

function deletePlatformObjects(seen: Seen): DeletionStep {
  const { cluster, objects } = seen
  const selection = { namespace: 'openshift-config-managed', labels: ownerLabelsOf(cluster) }
  const dashboards = objects.list(ConfigMap, selection).flatMap((dashboard) => removed(ConfigMap, dashboard, going))
  const { actions, remaining } = endpointLeftovers(seen)
  return {
    actions: [...dashboards, ...withdrawCredentials(seen), ...actions],
    ...(remaining.length === 0 ? {} : { waitsFor: `${remaining.join(', ')} to be gone` }),
  }
}

function deleteControlPlane({ controlPlane }: Seen): DeletionStep {
  if (controlPlane === undefined) return {}
  const { namespace, name } = controlPlane.metadata
  return { actions: removed(HostedControlPlane, controlPlane, going), waitsFor: `HostedControlPlane ${namespace}/${name} to be gone` }
}

function deleteNamespace({ cluster, objects }: Seen): DeletionStep {
  if (cluster.metadata.annotations?.[Annotation.skipNamespaceDeletion] === 'true') return {}
  const name = controlPlaneNamespaceOf(cluster)
  const live = objects.find(Namespace, { name })
  return live === undefined ? {} : { actions: removed(Namespace, live, going), waitsFor: `Namespace ${name} to be gone` }
}

function unmarkReferences({ cluster, objects }: Seen): DeletionStep {
  const { namespace = '', name = '' } = cluster.metadata
  const mark = referencedBy(name)
  const unmark = <T extends KubernetesObject>(kind: Resource<T>): readonly Action[] =>
    objects
      .list(kind, { namespace })
      .filter(({ metadata }) => metadata.annotations?.[mark] !== undefined)
      .map((object) => patch(kind, refOf(object), { metadata: { annotations: { [mark]: null } } }, 'the cluster that refers to it is gone'))
  return { actions: [...unmark(Secret), ...unmark(ConfigMap)] }
}

function waitForGracePeriod({ cluster, now }: Seen): DeletionStep {
  const period = gracePeriod(cluster, now)
  switch (period.is) {
    case 'over':
      return {}
    case 'invalid':
      return { problem: period.problem }
    case 'running': {
      const { milliseconds, destroyed } = period
      return { waitsFor: 'the grace period to end', milliseconds, ...(destroyed === undefined ? {} : { destroyed }) }
    }
    default:
      return period satisfies never
  }
}

/** Not guarded by what we saw: nobody can add a finalizer to what is being deleted, so there is none that we could drop. */
function removeFinalizer({ cluster }: Seen): DeletionStep {
  const { finalizers = [] } = cluster.metadata
  if (!finalizers.includes(Finalizer.cluster)) return {}
  const others = finalizers.filter((finalizer) => finalizer !== Finalizer.cluster)
  return {
    actions: [patch(HostedCluster, refOf(cluster), { metadata: { finalizers: others } }, 'everything that was made for it is gone')],
  }
}

function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value]
}
