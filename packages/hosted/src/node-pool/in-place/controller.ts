import { ConfigMap, HostedCluster, Namespace, Pod, Secret } from '@windlass/api'
import type { capi, Node } from '@windlass/api'
import { changed, done, isOwnedBy, plan, requeueAfter, wait, watching } from '@windlass/kube'
import type { AsyncControllerDefinition, CacheReader, FollowedCluster, Plan, ReconcileContext, Ref } from '@windlass/kube'
import { clusterKeyOf } from '../../hosted-cluster/index.ts'
import { clusters, lookUpRelease } from '../../management/index.ts'
import type { ReleaseResolver } from '../../releases/index.ts'
import { homeOf, machines, machineSets, poolRefOf, pools, poolSecrets } from '../caches.ts'
import { type Guests, machineRefOf, nodes } from '../guests.ts'
import { tokenSecretName } from '../names.ts'
import { isOurs, scopeChanged } from '../scope.ts'
import type { NodePoolSettings } from '../settings.ts'
import { decoded } from '../token/index.ts'
import { Annotation } from '../wire.ts'
import { upgradeName } from './daemons.ts'
import { listed } from './listed.ts'
import { decideUpgrade, isAsked, type ObservedMachineSet } from './upgrader.ts'

export interface InPlaceUpgraderOptions {
  readonly settings: NodePoolSettings
  readonly guests: Guests
  readonly releases: ReleaseResolver
}

const untilGuestAnswers = 10_000
const daemonImage = 'machine-config-operator'

/** Brings nodes that stay to what their pool asks for. It looks after MachineSets; those of MachineDeployments ask for nothing of the kind. */
export function inPlaceUpgrader(options: InPlaceUpgraderOptions): AsyncControllerDefinition<capi.MachineSet> {
  const { guests } = options
  return {
    name: 'in-place-upgrader',
    for: machineSets,
    predicate: changed(({ metadata: { annotations } }: capi.MachineSet) => annotations),
    watches: [
      // The Secret says when its payload is there.
      watching(
        poolSecrets,
        setOf,
        changed(({ data }: Secret) => data?.['payload']),
      ),
      watching(
        machines,
        (machine) => setOf(machine),
        changed(({ metadata, status }: capi.Machine) => [metadata.annotations?.[Annotation.releaseVersion], status?.nodeRef]),
      ),
      watching(clusters, setsOfCluster, scopeChanged),
    ],
    reads: [pools],
    sources: [guests.changes(setOfNode)],
    maxConcurrent: 10,
    timeout: 120_000,
    backOff: { first: 1000, longest: 30_000 },
    reconcile: (ref, context) => reconcile(ref, options, context),
  }
}

async function reconcile(ref: Ref, options: InPlaceUpgraderOptions, context: ReconcileContext): Promise<Plan> {
  const { cache, act, signal } = context
  const machineSet = cache.get(machineSets, ref)
  if (machineSet === undefined || machineSet.metadata.deletionTimestamp !== undefined) return done
  if (!isAsked(machineSet)) return done
  const [poolRef] = poolRefOf(machineSet)
  const pool = poolRef === undefined ? undefined : cache.get(pools, poolRef)
  if (pool === undefined) return wait('its NodePool, which is not there')
  if (!isOurs(pool, cache, options.settings)) return done
  if (machineSet.metadata.annotations?.[Annotation.paused] === 'true') return wait('the pause of its pool to end')
  const guest = await options.guests.ofPool(pool, context)
  if (guest.is === 'failed') return requeueAfter(untilGuestAnswers, `its guest: ${guest.problem}`)
  const observed = await observe(machineSet, guest.value, options, context)
  const decided = decideUpgrade(observed)
  for (const action of decided.announcement ?? []) await act(action)
  // Then the guest: what is written here afterwards says that it has happened there.
  for (const action of decided.guest) await guest.value.act(action, signal)
  for (const action of decided.management) await act(action)
  if (decided.error !== undefined) throw new Error(decided.error)
  const { requeueAfter: milliseconds = Number.POSITIVE_INFINITY, waitingFor } = decided
  return plan(requeueAfter(milliseconds, waitingFor))
}

/** What runs in the guest for an upgrade is asked there: there is nothing of it most of the time. */
async function observe(
  machineSet: capi.MachineSet,
  guest: FollowedCluster,
  options: InPlaceUpgraderOptions,
  context: ReconcileContext,
): Promise<ObservedMachineSet> {
  const { cache, signal } = context
  const { namespace = '', name = '', annotations = {} } = machineSet.metadata
  const secretName = tokenSecretName(name, annotations[Annotation.targetConfigVersion] ?? '')
  const tokenSecret = cache.get(poolSecrets, { namespace, name: secretName })
  const place = upgradeName(name)
  const [home, configMap, pods, image] = await Promise.all([
    guest.client.find(Namespace, { name: place }, { signal }),
    guest.client.find(ConfigMap, { namespace: place, name: place }, { signal }),
    listed(guest.client.list(Pod, { namespace: place, signal })),
    imageOf(tokenSecret, options, context),
  ])
  return {
    machineSet,
    tokenSecret,
    machines: cache
      .byIndex(machines, 'nodePool', annotations[Annotation.nodePool] ?? '')
      .filter((machine) => isOwnedBy(machine, machineSet)),
    nodes: new Map(guest.cache.list(nodes).map((node) => [node.metadata.name ?? '', node])),
    namespace: home,
    configMap,
    pods,
    daemonImage: image,
  }
}

/** The daemon comes from the release that nodes are to run: it knows how to get there. */
async function imageOf(
  tokenSecret: Secret | undefined,
  { releases }: InPlaceUpgraderOptions,
  { cache, signal }: ReconcileContext,
): Promise<string> {
  const pullspec = tokenSecret === undefined ? undefined : decoded(tokenSecret, 'release')
  const [ref] = tokenSecret === undefined ? [] : poolRefOf(tokenSecret)
  const pool = ref === undefined ? undefined : cache.get(pools, ref)
  if (pullspec === undefined || pool === undefined) return ''
  const { namespace = '' } = pool.metadata
  const cluster = cache.get(HostedCluster, { namespace, name: pool.spec.clusterName })
  const pullSecret = cache.get(Secret, { namespace, name: cluster?.spec.pullSecret.name ?? '' })
  const release = await lookUpRelease(releases, { pullspec, pullSecret, mirrors: cluster?.spec.imageContentSources, signal })
  if (release.is === 'failed') throw new Error(`the image of the machine config daemon is not known: ${release.problem}`)
  const image = release.value.images.get(daemonImage)
  if (image === undefined) throw new Error(`release ${release.value.version} has no image ${daemonImage}, which upgrades nodes in place`)
  return image
}

/** The MachineSet of an InPlace pool has the name of its pool, and so do Secrets and Machines say. */
function setOf({ metadata: { namespace = '', annotations } }: capi.Machine | Secret): readonly Ref[] {
  const name = (annotations?.[Annotation.nodePool] ?? '').split('/').at(1)
  return name === undefined ? [] : [{ namespace, name }]
}

function setsOfCluster(cluster: HostedCluster, cache: CacheReader): readonly Ref[] {
  return cache.byIndex(pools, 'cluster', clusterKeyOf(cluster)).map((pool) => ({ namespace: homeOf(pool), name: pool.metadata.name ?? '' }))
}

function setOfNode(node: Node, cache: CacheReader): readonly Ref[] {
  const ref = machineRefOf(node)
  const machine = ref === undefined ? undefined : cache.get(machines, ref)
  return machine === undefined ? [] : setOf(machine)
}
