import { AWSMachineTemplate, capi, ConfigMap, HostedCluster, KubevirtMachineTemplate, NodePool, Secret } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import { aHostedCluster, aNamespace, aNodePool, aReleaseImage, aSecret } from '@windlass/api/fixtures'
import type { FixtureOptions } from '@windlass/api/fixtures'
import { type Instant, parseTime, type SkewPolicy, type SkewSource } from '@windlass/core'
import { failed, found, type Lookup } from '../../hosted-cluster/index.ts'
import { World } from '../../hosted-cluster/testing/index.ts'
import { asDigest, asPullspec } from '../../releases/pullspec/index.ts'
import type { Release } from '../../releases/index.ts'
import { decideNodePool, type NodePoolPlan } from '../decide.ts'
import { poolKeyOf } from '../names.ts'
import type { ObservedNodePool } from '../observed.ts'
import { look, type Seen } from '../seen.ts'
import { defaultSettings, type NodePoolSettings } from '../settings.ts'
import type { MachineTemplate, TemplateKind } from '../templates/index.ts'
import { Annotation, Label } from '../wire.ts'

/** When the clocks of these tests start. */
export const noon = parseTime('2026-03-06T12:00:00Z') ?? Number.NaN

export const hour = 3_600_000
export const minute = 60_000

/** As the specification's cases have it unless they say otherwise. */
export const settings: NodePoolSettings = { ...defaultSettings, skew: { source: 'Auto', policy: 'fixed:3' } }

export function settingsWith(source: SkewSource, policy: SkewPolicy = 'fixed:3'): NodePoolSettings {
  return { ...settings, skew: { source, policy } }
}

/** A release that is asked for by this image. */
export function aRelease(image: string, version: string): Release {
  return {
    version,
    architecture: 'amd64',
    images: new Map([['haproxy-router', asPullspec(`example.com/ocp/haproxy-router:${version}`)]]),
    metadata: { previous: [], url: undefined },
    pullspec: asPullspec(image),
    digest: asDigest(`sha256:${'a'.repeat(64)}`),
    image: asPullspec(image),
  }
}

/** Every image whose tag names a version is there. */
export function resolve(image: string): Lookup<Release> {
  const version = versionIn(image)
  return version === undefined ? failed(`${image} is not found`) : found(aRelease(image, version))
}

function versionIn(image: string): string | undefined {
  return /:(\S+)-x86_64$/.exec(image)?.[1]
}

/** A pool that nobody has looked at yet. */
export function aNewPool(options: Omit<FixtureOptions<NodePool>, 'status'> & { readonly release?: string } = {}): NodePool {
  const { status: _, ...pool } = aNodePool(options)
  return pool
}

export function secretWith(
  name: string,
  namespace: string,
  data: Readonly<Record<string, string>>,
  annotations?: Readonly<Record<string, string>>,
): Secret {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
  const base = aSecret({ name, namespace, type: 'Opaque', data: encoded })
  return annotations === undefined ? base : { ...base, metadata: { ...base.metadata, annotations } }
}

export function configMapWith(
  name: string,
  namespace: string,
  data: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>> = {},
): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels, uid: `uid of ${name}`, resourceVersion: '1' }, data }
}

/** A machine configuration that writes one file. */
export function aMachineConfig(name: string, contents = 'data:,x'): string {
  return [
    'apiVersion: machineconfiguration.openshift.io/v1',
    'kind: MachineConfig',
    `metadata:`,
    `  name: ${name}`,
    'spec:',
    '  config:',
    '    ignition: { version: 3.2.0 }',
    '    storage:',
    '      files:',
    `        - { path: /etc/${name}, mode: 0644, contents: { source: "${contents}" } }`,
  ].join('\n')
}

export const pullSecret = secretWith('prod-pull-secret', 'clusters', { '.dockerconfigjson': '{"auths":{}}' })
export const ignitionCA = secretWith('ignition-server-ca-cert', 'clusters-prod', { 'tls.crt': 'CERTIFICATE' })
export const coreConfigs: readonly ConfigMap[] = ['fips', 'ssh'].map((name) =>
  configMapWith(`ignition-config-${name}`, 'clusters-prod', { config: aMachineConfig(name) }, { [Label.coreConfig]: 'true' }),
)

/** What a healthy cluster has before its first pool. */
export function aPlace(cluster: HostedCluster = aHostedCluster()): readonly KubernetesObject[] {
  return [aNamespace({ name: 'clusters' }), aNamespace({ name: 'clusters-prod' }), cluster, pullSecret, ignitionCA, ...coreConfigs]
}

export type Told = Partial<Omit<ObservedNodePool, 'pool'>> & { readonly settings?: NodePoolSettings; readonly name?: string }

const kinds: readonly TemplateKind[] = [AWSMachineTemplate, KubevirtMachineTemplate]

/** What a pass over a pool of this world sees. */
export function observe(world: World, told: Told = {}): ObservedNodePool {
  const { settings: _, name = 'workers', ...rest } = told
  const pool = poolIn(world, name)
  const { namespace = '' } = pool.metadata
  const cluster = world.find(HostedCluster, { namespace, name: pool.spec.clusterName })
  const home = 'clusters-prod'
  const key = poolKeyOf(pool)
  const ofPool = <T extends KubernetesObject>(kind: Resource<T>): readonly T[] =>
    world.list(kind).filter(({ metadata }) => metadata.annotations?.[Annotation.nodePool] === key)
  const references = [...(pool.spec.config ?? []), ...(pool.spec.tuningConfig ?? [])]
  const trustBundle = cluster?.spec.additionalTrustBundle?.name
  return {
    pool,
    cluster,
    release: resolve(pool.spec.release.image),
    clusterRelease: resolve(cluster?.spec.release.image ?? ''),
    machines: found(ofPool(capi.Machine)),
    machineSets: ofPool(capi.MachineSet),
    machineDeployment: world.find(capi.MachineDeployment, { namespace: home, name }),
    healthChecks: ofPool(capi.MachineHealthCheck),
    templates: kinds.flatMap((kind): readonly MachineTemplate[] => ofPool(kind)),
    secrets: found(ofPool(Secret)),
    configMaps: {
      core: world.list(ConfigMap, { namespace: home, labels: { [Label.coreConfig]: 'true' } }),
      referenced: references.flatMap((reference) => world.find(ConfigMap, { namespace, name: reference.name ?? '' }) ?? []),
      tuningOutput: world.list(ConfigMap, { namespace: home, labels: { [Label.tuningOutput]: 'true', [Label.nodePool]: name } }),
      mirrored: world.list(ConfigMap, { namespace: home, labels: { [Label.nodePool]: name } }),
    },
    ignitionCA: world.find(Secret, { namespace: home, name: 'ignition-server-ca-cert' }),
    pullSecret: world.find(Secret, { namespace, name: cluster?.spec.pullSecret.name ?? '' }),
    trustBundle: trustBundle === undefined ? undefined : world.find(ConfigMap, { namespace, name: trustBundle }),
    cloudConfig: undefined,
    bootImage: found('example.com/rhcos/disk:9.6'),
    controlPlaneOperator: { image: 'example.com/ocp/hypershift:4.19.6', leavesProxyConfigToUs: true },
    isIgnitionHostKnown: true,
    platformMachines: [],
    capacity: undefined,
    ...rest,
  }
}

export function poolIn(world: World, name = 'workers'): NodePool {
  const pool = world.list(NodePool).find(({ metadata }) => metadata.name === name)
  if (pool === undefined) throw new Error(`there is no NodePool ${name}`)
  return pool
}

/** The same as rules see it. */
export function seenIn(world: World, now: Instant = noon, told: Told = {}): Seen {
  const observed = observe(world, told)
  if (observed.cluster === undefined) throw new Error('there is no HostedCluster')
  return look(observed, observed.cluster, told.settings ?? settings, now)
}

let drawn = 0

/** One pass: decides, carries out, and returns what was decided. */
export function pass(world: World, now: Instant = noon, told: Told = {}): NodePoolPlan {
  drawn += 1
  const token = `00000000-0000-4000-8000-${String(drawn).padStart(12, '0')}`
  const plan = decideNodePool(observe(world, told), now, told.settings ?? settings, { token })
  world.carryOut(plan.actions, now)
  return plan
}

/** A world with a pool in it. */
export function aWorld(pool: NodePool = aNewPool(), cluster?: HostedCluster, ...more: readonly KubernetesObject[]): World {
  return new World([...aPlace(cluster), pool, ...more])
}

/** Changes an object as its owner would: the spec has another generation then. */
export function edit<T extends KubernetesObject>(world: World, object: T, change: Partial<T>): void {
  const { generation = 1 } = object.metadata
  const isSpec = 'spec' in change
  world.put({
    ...object,
    ...change,
    metadata: { ...object.metadata, ...change.metadata, generation: isSpec ? generation + 1 : generation },
  })
}

export function setSpec(world: World, spec: Partial<NodePool['spec']>, name?: string): void {
  const pool = poolIn(world, name)
  edit(world, pool, { spec: { ...pool.spec, ...spec } })
}

export function setRelease(world: World, version: string, name?: string): void {
  setSpec(world, { release: { image: aReleaseImage(version) } }, name)
}

/** A condition in short: `False/NotFound`; undefined when it is not there. */
export function said(pool: NodePool, type: string): string | undefined {
  const condition = pool.status?.conditions?.find((each) => each.type === type)
  return condition === undefined ? undefined : [condition.status, condition.reason].filter(Boolean).join('/')
}

export function messageOf(pool: NodePool, type: string): string | undefined {
  return pool.status?.conditions?.find((each) => each.type === type)?.message
}

export function secretsIn(world: World): readonly string[] {
  return world
    .list(Secret, { namespace: 'clusters-prod' })
    .map(({ metadata }) => metadata.name ?? '')
    .filter((name) => name.startsWith('token-') || name.startsWith('user-data-'))
    .toSorted()
}

/** Passes and steps of the provider in turn, until nothing is written any more. */
export function settle(world: World, provider: { step(now: Instant): void }, start: Instant = noon, told: Told = {}): Instant {
  let now = start
  for (let quiet = 0; quiet < 3; now += 10_000) {
    if (now > start + 200 * 10_000) throw new Error(`it does not settle; it wrote ${world.writes.slice(-10).join(', ')}`)
    const before = world.writes.length
    pass(world, now, told)
    provider.step(now)
    quiet = world.writes.length === before ? quiet + 1 : 0
  }
  return now
}
