import type { capi, HostedCluster, KubernetesObject, NodePool, Secret } from '@windlass/api'
import { changed, deletion, done, or, refOf, watching } from '@windlass/kube'
import type { AsyncControllerDefinition, CacheReader, Plan, Predicate, ReconcileContext, Ref } from '@windlass/kube'
import { clusterKeyOf } from '../../hosted-cluster/index.ts'
import { clusters } from '../../management/index.ts'
import { machines, machineSets, poolRefOf, pools, poolSecrets } from '../caches.ts'
import type { NodePoolOptions } from '../controller.ts'
import { poolKeyOf } from '../names.ts'
import { observePool } from '../observe.ts'
import { scopeChanged } from '../scope.ts'
import { expectedHashOf } from '../seen.ts'
import { isInScope } from '../settings.ts'
import { Annotation } from '../wire.ts'
import { decideSecret, isPoolSecret, type ObservedSecret } from './janitor.ts'

/**
 * Looks after Secrets of pools that nobody needs any more. Each is looked at when it changes itself, when another one of its pool takes its place (because
 * it appears, or because the pool goes back to it), and when something goes that may have needed it.
 */
export function nodePoolJanitor(options: NodePoolOptions): AsyncControllerDefinition<Secret> {
  return {
    name: 'node-pool-janitor',
    for: poolSecrets,
    predicate: ({ object }) => isPoolSecret(object),
    watches: [
      watching(poolSecrets, ofSamePool, isWanted),
      watching(machines, ofSamePool, ({ type }) => type === 'deleted'),
      watching(
        machineSets,
        ofSamePool,
        changed(({ spec }: capi.MachineSet) => [spec.replicas, spec.template?.spec?.bootstrap.dataSecretName]),
      ),
      watching(
        pools,
        secretsOfPool,
        or(
          deletion,
          changed(({ spec }: NodePool) => spec),
        ),
      ),
      watching(clusters, secretsOfCluster, or(deletion, scopeChanged)),
    ],
    maxConcurrent: 10,
    timeout: 120_000,
    backOff: { first: 1000, longest: 60_000 },
    reconcile: (ref, context) => reconcile(ref, options, context),
  }
}

/** Another Secret of the pool may be superfluous: this one is new, or it was on its way out and is not any more. */
const isWanted: Predicate<Secret> = (change) =>
  isPoolSecret(change.object) &&
  (change.type === 'added' || (change.type === 'updated' && isMarked(change.old) && !isMarked(change.object)))

function isMarked({ metadata }: Secret): boolean {
  return metadata.annotations?.[Annotation.tokenExpires] !== undefined
}

async function reconcile(ref: Ref, options: NodePoolOptions, context: ReconcileContext): Promise<Plan> {
  const { cache, clock } = context
  const secret = cache.get(poolSecrets, ref)
  if (secret === undefined || !isPoolSecret(secret) || options.settings.mode === 'Observe') return done
  const observed = await observe(secret, options, context)
  const isSomebodyElses = observed.cluster !== undefined && !isInScope(observed.cluster, options.settings)
  return isSomebodyElses ? done : decideSecret(observed, clock.now())
}

async function observe(secret: Secret, options: NodePoolOptions, context: ReconcileContext): Promise<ObservedSecret> {
  const { cache, clock } = context
  const [ref] = poolRefOf(secret)
  const pool = ref === undefined ? undefined : cache.get(pools, ref)
  const key = secret.metadata.annotations?.[Annotation.nodePool] ?? ''
  const users = { machineSets: cache.byIndex(machineSets, 'nodePool', key), machines: cache.byIndex(machines, 'nodePool', key) }
  if (pool === undefined) return { secret, pool, cluster: undefined, expectedHash: undefined, ...users }
  const observed = await observePool(pool, options, context)
  const expectedHash = expectedHashOf(observed, options.settings, clock.now())
  return { secret, pool, cluster: observed.cluster, expectedHash, ...users }
}

function ofSamePool({ metadata }: KubernetesObject, cache: CacheReader): readonly Ref[] {
  const key = metadata.annotations?.[Annotation.nodePool]
  return key === undefined ? [] : secretsOf(key, cache)
}

function secretsOfPool(pool: NodePool, cache: CacheReader): readonly Ref[] {
  return secretsOf(poolKeyOf(pool), cache)
}

function secretsOfCluster(cluster: HostedCluster, cache: CacheReader): readonly Ref[] {
  return cache.byIndex(pools, 'cluster', clusterKeyOf(cluster)).flatMap((pool) => secretsOfPool(pool, cache))
}

function secretsOf(key: string, cache: CacheReader): readonly Ref[] {
  return cache.byIndex(poolSecrets, 'nodePool', key).filter(isPoolSecret).map(refOf)
}
