import { ConfigMap, HostedCluster, Secret } from '@windlass/api'
import type { KubernetesObject, NodePool, Resource } from '@windlass/api'
import type { ConditionLike } from '@windlass/core'
import type { CacheReader, ReconcileContext } from '@windlass/kube'
import { failed, found, type Lookup } from '../hosted-cluster/index.ts'
import { lookUpRelease } from '../management/index.ts'
import type { Release, ReleaseResolver } from '../releases/index.ts'
import { type BootSurroundings, releaseBootImage } from './boot-image.ts'
import { configMaps, healthChecks, homeOf, machineDeployments, machines, machineSets, ofProvider, pools, poolSecrets } from './caches.ts'
import { asksForRunc, isProxyConfigOurs } from './config/index.ts'
import { poolKeyOf } from './names.ts'
import type { InstanceOffer, ObservedNodePool, PlatformMachine, PoolConfigMaps } from './observed.ts'
import { kindOfTemplate, type MachineTemplate, type TemplateKind } from './templates/index.ts'
import { cloudConfigs, ignitionCASecret, Label } from './wire.ts'

/** What a provider has made of a Machine, as far as pools look at it. */
interface ProviderMachine extends KubernetesObject {
  readonly spec?: { readonly additionalTags?: Readonly<Record<string, string>> }
  readonly status?: { readonly conditions?: readonly (ConditionLike & { readonly reason?: string; readonly message?: string })[] }
}

/** Where everything about a pool comes from that is not in the caches, and which kinds of providers there are. */
export interface NodePoolSources {
  readonly releases: ReleaseResolver
  /** Kinds of templates that the management cluster has; `discoverTemplateKinds` asks it. */
  readonly templates: readonly TemplateKind[]
  /** Kinds of what providers make of machines (AWSMachine, KubevirtMachine), if they are looked at: for tags, and for what is said about live migration. */
  readonly providerMachines?: readonly Resource[]
  /** The image that machines start from, where the pool brings none: undefined where the platform needs none. `releaseBootImage` unless told. */
  readonly bootImage?: (pool: NodePool, release: Release, surroundings: BootSurroundings) => Lookup<string> | undefined
  /** What a machine of the pool offers, for scaling from zero; nobody is asked unless told. */
  readonly capacityOf?: (pool: NodePool, signal: AbortSignal) => Promise<InstanceOffer>
  /** Resolves when the name is known to everybody; on Azure the ignition server is waited for so. */
  readonly resolveName?: (hostname: string, signal: AbortSignal) => Promise<unknown>
}

type Context = Pick<ReconcileContext, 'cache' | 'signal'>

const operatorImageAnnotation = 'hypershift.openshift.io/control-plane-operator-image'

/** All that a pass over a pool looks at: from the caches, and releases from wherever they are. */
export async function observePool(pool: NodePool, sources: NodePoolSources, context: Context): Promise<ObservedNodePool> {
  const { cache, signal } = context
  const { namespace = '' } = pool.metadata
  const cluster = cache.get(HostedCluster, { namespace, name: pool.spec.clusterName })
  const pullSecret = cluster === undefined ? undefined : cache.get(Secret, { namespace, name: cluster.spec.pullSecret.name ?? '' })
  // One that is on its way out needs none, and one without a cluster has nobody to ask with.
  const look = async (pullspec: string | undefined): Promise<Lookup<Release>> => {
    if (cluster === undefined || pullspec === undefined || pool.metadata.deletionTimestamp !== undefined)
      return failed('nobody needs to know')
    return lookUpRelease(sources.releases, { pullspec, pullSecret, mirrors: cluster.spec.imageContentSources, signal })
  }
  const [release, clusterRelease, isIgnitionHostKnown, capacity] = await Promise.all([
    look(pool.spec.release.image),
    look(cluster?.spec.release.image),
    isHostKnown(pool, cluster, sources, signal),
    pool.spec.autoScaling === undefined ? undefined : sources.capacityOf?.(pool, signal),
  ])
  const key = poolKeyOf(pool)
  const home = homeOf(pool)
  const bundle = cluster?.spec.additionalTrustBundle?.name
  const used = configMapsOf(pool, home, cache)
  return {
    pool,
    cluster,
    release,
    clusterRelease,
    machines: found(cache.byIndex(machines, 'nodePool', key)),
    machineSets: cache.byIndex(machineSets, 'nodePool', key),
    machineDeployment: cache.byIndex(machineDeployments, 'nodePool', key).find(({ metadata }) => metadata.name === pool.metadata.name),
    healthChecks: cache.byIndex(healthChecks, 'nodePool', key),
    templates: sources.templates.flatMap((kind) => templatesIn(cache, kind, key)),
    secrets: found(cache.byIndex(poolSecrets, 'nodePool', key)),
    configMaps: used,
    ignitionCA: cache.get(Secret, { namespace: home, name: ignitionCASecret }),
    pullSecret,
    trustBundle: bundle ? cache.get(ConfigMap, { namespace, name: bundle }) : undefined,
    cloudConfig: cloudConfigOf(pool, home, cache),
    bootImage:
      release.is === 'failed' || cluster === undefined
        ? undefined
        : (sources.bootImage ?? releaseBootImage)(pool, release.value, { cluster, usesRunc: asksForRunc({ cluster, configMaps: used }) }),
    controlPlaneOperator: {
      image: operatorImageOf(cluster, clusterRelease),
      leavesProxyConfigToUs: isProxyConfigOurs(cache.byIndex(configMaps, 'core', home)),
    },
    isIgnitionHostKnown,
    platformMachines: (sources.providerMachines ?? []).flatMap((kind) => providerMachinesIn(cache, kind, key)),
    capacity,
  }
}

/** The pool that a key names, if it is there. */
export function poolIn(cache: CacheReader, ref: { readonly namespace?: string; readonly name: string }): NodePool | undefined {
  return cache.get(pools, ref)
}

/** Where a cloud has a configuration that nodes are made with. */
export function cloudConfigOf({ spec }: NodePool, home: string, cache: CacheReader): ConfigMap | undefined {
  const name = cloudConfigs[spec.platform.type]
  return name === undefined ? undefined : cache.get(ConfigMap, { namespace: home, name })
}

/** Objects from lists do not say of which kind they are; those of several kinds stand side by side here. */
function templatesIn(cache: CacheReader, kind: TemplateKind, key: string): readonly MachineTemplate[] {
  return cache
    .byIndex(templateCache(kind), 'nodePool', key)
    .map((template) => (kindOfTemplate(template) === kind ? template : { ...template, apiVersion: kind.apiVersion, kind: kind.kind }))
}

const templateCaches = new Map<TemplateKind, ReturnType<typeof ofProvider<MachineTemplate>>>()

export function templateCache(kind: TemplateKind): ReturnType<typeof ofProvider<MachineTemplate>> {
  const known = templateCaches.get(kind) ?? ofProvider<MachineTemplate>(kind)
  templateCaches.set(kind, known)
  return known
}

const providerCaches = new Map<Resource, ReturnType<typeof ofProvider<ProviderMachine>>>()

export function providerCache(kind: Resource): ReturnType<typeof ofProvider<ProviderMachine>> {
  const known = providerCaches.get(kind) ?? ofProvider<ProviderMachine>(kind)
  providerCaches.set(kind, known)
  return known
}

function providerMachinesIn(cache: CacheReader, kind: Resource, key: string): readonly PlatformMachine[] {
  return cache.byIndex(providerCache(kind), 'nodePool', key).map(({ metadata, spec, status }) => ({
    name: metadata.name ?? '',
    conditions: status?.conditions ?? [],
    ...(kind.kind === 'AWSMachine' ? { tags: spec?.additionalTags ?? {} } : {}),
  }))
}

function configMapsOf({ metadata: { namespace = '', name = '' }, spec }: NodePool, home: string, cache: CacheReader): PoolConfigMaps {
  const mirrored = cache.byIndex(configMaps, 'labelled', `${home}/${name}`)
  const references = [...(spec.config ?? []), ...(spec.tuningConfig ?? [])]
  return {
    core: cache.byIndex(configMaps, 'core', home),
    referenced: references.flatMap((reference) => cache.get(ConfigMap, { namespace, name: reference.name ?? '' }) ?? []),
    tuningOutput: mirrored.filter(isTuningOutput),
    mirrored,
  }
}

function isTuningOutput({ metadata }: ConfigMap): boolean {
  return metadata.labels?.[Label.tuningOutput] === 'true'
}

function operatorImageOf(cluster: HostedCluster | undefined, release: Lookup<Release>): string {
  const named = cluster?.metadata.annotations?.[operatorImageAnnotation]
  if (named) return named
  return release.is === 'found' ? (release.value.images.get('hypershift') ?? release.value.images.get('controlplane-operator') ?? '') : ''
}

/** Elsewhere nobody waits for the name. */
async function isHostKnown(
  { spec }: NodePool,
  cluster: HostedCluster | undefined,
  { resolveName }: NodePoolSources,
  signal: AbortSignal,
): Promise<boolean> {
  const host = cluster?.status?.ignitionEndpoint?.replace(/:\d+$/, '')
  if (spec.platform.type !== 'Azure' || !host || resolveName === undefined) return true
  try {
    await resolveName(host, signal)
    return true
  } catch {
    signal.throwIfAborted()
    return false
  }
}
