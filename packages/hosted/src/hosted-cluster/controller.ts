import { HostedControlPlane, Secret } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import { plan, requeue } from '@windlass/kube'
import type { Action, AsyncControllerDefinition, Plan, ReconcileContext, Ref } from '@windlass/kube'
import type { Component, Pass } from '../components/index.ts'
import { clusters, isInScope, lookUpRelease, runComponents, snapshotOf } from '../management/index.ts'
import type { ServedKinds } from '../management/index.ts'
import type { Release, ReleaseResolver } from '../releases/index.ts'
import { concluded, decideHostedCluster } from './decide.ts'
import { executeOperations } from './execution.ts'
import { drawIdentifiers } from './identifiers.ts'
import { failed, found } from './lookup.ts'
import type { Lookup } from './lookup.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ManagementCluster, ObservedHostedCluster, OperatorImage } from './observed.ts'
import { aggregate } from './problems.ts'
import { controlPlaneImageOf, pullspecsOf, releaseAt } from './release-images.ts'
import type { Releases } from './release-images.ts'
import { watchesOf } from './watches.ts'

export interface HostedClusterOptions {
  readonly releases: ReleaseResolver
  readonly served: ServedKinds
  readonly management: ManagementCluster
  /** Only clusters of this scope; all of them without it. */
  readonly scope?: string
}

const operatorImageAnnotation = 'hypershift.openshift.io/control-plane-operator-image'

/** Looks after hosted clusters: what they ask for, what is copied for them, their control planes, and how they go. */
export function hostedCluster(options: HostedClusterOptions): AsyncControllerDefinition<HostedCluster> {
  return {
    name: 'hosted-cluster',
    for: clusters,
    watches: watchesOf(options.served),
    maxConcurrent: 10,
    timeout: 300_000,
    backOff: { first: 1_000, longest: 10_000 },
    reconcile: (ref, context) => reconcile(ref, options, context),
  }
}

async function reconcile(ref: Ref, options: HostedClusterOptions, context: ReconcileContext): Promise<Plan> {
  const { cache, clock, random, log, act } = context
  const cluster = cache.get(clusters, ref)
  if (cluster === undefined || !isInScope(cluster, options.scope)) return plan()
  const observed = await observe(cluster, options, context)
  const decided = decideHostedCluster(observed, clock.now(), drawIdentifiers(random))
  for (const note of decided.notes) log.info({ cluster: ref.name }, note)
  if (decided.operations.length === 0) {
    // The last action says how it ended: it is reached when everything before it went well.
    for (const action of decided.actions) await act(action)
    return ended(decided, decided.error)
  }
  for (const action of decided.before) await act(action)
  const run = (components: readonly Component[]): Promise<Pass> => operate(components, cluster, observed.releases, options, context)
  const { problems, blocked, hasConflicts } = await executeOperations(decided.operations, run, context)
  const error = aggregate(problems, blocked)
  if (error === undefined && hasConflicts) return requeue('objects that have changed meanwhile')
  const conclusion = conclude(ref, error, context)
  if (conclusion !== undefined) await act(conclusion)
  return ended(decided, error)
}

/** Everything that a pass looks at: from the caches, and releases from wherever they are. */
async function observe(cluster: HostedCluster, options: HostedClusterOptions, context: ReconcileContext): Promise<ObservedHostedCluster> {
  const { cache, signal, clock } = context
  const { namespace = '', deletionTimestamp } = cluster.metadata
  const pullSecret = cache.get(Secret, { namespace, name: cluster.spec.pullSecret.name ?? '' })
  const mirrors = cluster.spec.imageContentSources
  // What goes needs no release, and must not wait for one.
  const wanted = deletionTimestamp === undefined ? pullspecsOf(cluster) : []
  const answers = await Promise.all(
    wanted.map(async (pullspec): Promise<readonly [string, Lookup<Release>]> => {
      return [pullspec, await lookUpRelease(options.releases, { pullspec, pullSecret, mirrors, signal, clock })]
    }),
  )
  const releases = new Map(answers)
  return {
    cluster,
    objects: snapshotOf(cache, options.served, cluster),
    releases,
    operatorImage: operatorImageOf(cluster, releases),
    // Whether another cluster can run virtual machines is not looked into; its own API tells when it cannot.
    kubevirtProblem: undefined,
    management: options.management,
  }
}

/** Caveat: labels of the image are not read, so that the namespace gets the level of an operator without them. */
function operatorImageOf(cluster: HostedCluster, releases: Releases): Lookup<OperatorImage> {
  const named = cluster.metadata.annotations?.[operatorImageAnnotation]
  if (named) return found({ image: named, labels: {} })
  const release = releaseAt(releases, controlPlaneImageOf(cluster))
  if (release.is === 'failed') return release
  const image = release.value.images.get('hypershift') ?? release.value.images.get('controlplane-operator')
  return image === undefined ? failed(`release ${release.value.version} has no image named hypershift`) : found({ image, labels: {} })
}

/** Runs the components that the cluster looks after itself. */
async function operate(
  components: readonly Component[],
  cluster: HostedCluster,
  releases: Releases,
  { served }: HostedClusterOptions,
  context: ReconcileContext,
): Promise<Pass> {
  const name = cluster.metadata.name ?? ''
  const controlPlane = context.cache.get(HostedControlPlane, { namespace: controlPlaneNamespaceOf(cluster), name })
  const release = releaseAt(releases, controlPlaneImageOf(cluster))
  if (controlPlane === undefined) throw new Error(`HostedControlPlane ${controlPlaneNamespaceOf(cluster)}/${name} is not there`)
  if (release.is === 'failed') throw new Error(release.problem)
  const sign = (): Promise<void> => Promise.reject(new Error('nobody signs kubeconfigs for components that a HostedCluster runs itself'))
  return runComponents({ components, controlPlane, release: release.value, served, sign }, context)
}

/** Says on the cluster, as it is now, how the pass ended. */
function conclude(ref: Ref, error: string | undefined, { cache, clock }: ReconcileContext): Action | undefined {
  const cluster = cache.get(clusters, ref)
  return cluster === undefined ? undefined : concluded(cluster, cluster.status?.conditions ?? [], error, clock.now(), true)
}

/** An error is thrown: it is counted, logged, and tried again. */
function ended({ requeueAfter, waitingFor }: Plan, error: string | undefined): Plan {
  if (error !== undefined) throw new Error(error)
  return { actions: [], ...(requeueAfter === undefined ? {} : { requeueAfter }), ...(waitingFor === undefined ? {} : { waitingFor }) }
}
