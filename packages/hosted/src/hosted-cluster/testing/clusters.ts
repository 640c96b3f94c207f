import { HostedCluster as HostedClusterKind } from '@windlass/api'
import type { HostedCluster, HostedControlPlane, KubernetesObject, Secret } from '@windlass/api'
import {
  aCapiCluster,
  aHostedCluster,
  aHostedControlPlane,
  aNamespace,
  aReleaseDigest,
  aReleaseImage,
  aSecret,
} from '@windlass/api/fixtures'
import type { FixtureOptions } from '@windlass/api/fixtures'
import { parseTime } from '@windlass/core'
import { asDigest, asPullspec } from '../../releases/pullspec/index.ts'
import type { Release } from '../../releases/index.ts'
import { decideHostedCluster } from '../decide.ts'
import type { HostedClusterPlan } from '../decide.ts'
import type { Identifiers } from '../identifiers.ts'
import { failed, found } from '../lookup.ts'
import type { Lookup } from '../lookup.ts'
import type { ManagementCluster, ObservedHostedCluster } from '../observed.ts'
import { Annotation, Finalizer } from '../wire.ts'
import { World } from './world.ts'

/** When the clocks of these tests start. */
export const noon = parseTime('2026-03-06T12:00:00Z') ?? Number.NaN

export const identifiers: Identifiers = {
  clusterID: '0f8d1c6e-2d7a-4a31-9d5e-5f0b8c1e7a42',
  infraSuffix: 'x4k9z',
  generateID: 'bcdfgh2456',
  encryptionKey: Buffer.alloc(32, 7).toString('base64'),
}

/** A release that is asked for by a tag; the answer has a digest. */
export function aResolvedRelease(version: string, architecture = 'amd64'): Release {
  const digest = aReleaseDigest(version)
  return {
    version,
    architecture,
    images: new Map(),
    metadata: { previous: [], url: undefined },
    pullspec: asPullspec(aReleaseImage(version)),
    digest: asDigest(digest.slice(digest.indexOf('@') + 1)),
    image: asPullspec(digest),
  }
}

/** Answers for these versions, by tag and by digest. */
export function releasesFor(...versions: readonly string[]): ReadonlyMap<string, Lookup<Release>> {
  return new Map(
    versions.flatMap((version) => {
      const release = found(aResolvedRelease(version))
      return [aReleaseImage(version), aReleaseDigest(version)].map((pullspec) => [pullspec, release] as const)
    }),
  )
}

export const management: ManagementCluster = {
  isMonitored: false,
  ingressDomain: 'apps.mgmt.example.com',
  clusterNetworks: ['10.128.0.0/14'],
  serviceNetworks: ['172.30.0.0/16'],
  apiServers: ['192.0.2.10'],
  hasOpenShiftDns: true,
  aws: { region: undefined, hasCredentials: false },
  enforcesSequentialMinors: false,
}

/** `aHostedCluster` as a pass finds it after the first one: complete, and held by our finalizer. */
export function aCompleteCluster(options: FixtureOptions<HostedCluster> & { readonly release?: string } = {}): HostedCluster {
  const { metadata, spec, ...rest } = options
  return aHostedCluster({
    ...rest,
    metadata: { finalizers: [Finalizer.cluster], ...metadata },
    spec: { secretEncryption: { type: 'aescbc', aescbc: { activeKey: { name: 'prod-etcd-encryption-key' } } }, ...spec },
  })
}

/** The same before anybody has looked at it. */
export function aNewCluster(options: Omit<FixtureOptions<HostedCluster>, 'status'> & { readonly release?: string } = {}): HostedCluster {
  const { status: _, ...cluster } = aCompleteCluster(options)
  return cluster
}

export function annotated(annotations: Readonly<Record<string, string>>) {
  return { metadata: { finalizers: [Finalizer.cluster], annotations } }
}

export function aUserSecret(name: string, data: Readonly<Record<string, string>>, namespace = 'clusters'): Secret {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
  return aSecret({ name, namespace, type: 'Opaque', data: encoded })
}

export const pullSecret = aUserSecret('prod-pull-secret', { '.dockerconfigjson': '{"auths":{"example.com":{"auth":"dXNlcjpwYXNz"}}}' })
export const sshKey = aUserSecret('prod-ssh-key', { 'id_rsa.pub': 'ssh-rsa AAAA' })
export const encryptionKey = aUserSecret('prod-etcd-encryption-key', { key: 'key' })

/** What people have put beside the cluster. */
export const belongings: readonly KubernetesObject[] = [aNamespace({ name: 'clusters' }), pullSecret, sshKey, encryptionKey]

/** The control plane of `aCompleteCluster`, marked as such. */
export function aControlPlane(options: FixtureOptions<HostedControlPlane> & { readonly release?: string } = {}): HostedControlPlane {
  const { metadata, ...rest } = options
  return aHostedControlPlane({
    ...rest,
    metadata: { annotations: { [Annotation.cluster]: 'clusters/prod' }, finalizers: [Finalizer.cluster], ...metadata },
  })
}

/** How the guest is reached, beside its control plane. */
export const kubeconfig = aUserSecret('admin-kubeconfig', { kubeconfig: 'clusters: []' }, 'clusters-prod')

export const home = aNamespace({ metadata: { annotations: { [Annotation.cluster]: 'clusters/prod' } } })

/** Everything that there is of a cluster that runs. */
export function running(cluster: HostedCluster, controlPlane: HostedControlPlane): readonly KubernetesObject[] {
  return [...belongings, cluster, home, controlPlane, kubeconfig, aCapiCluster()]
}

export type Told = Partial<Omit<ObservedHostedCluster, 'objects' | 'cluster'>> & { readonly cluster?: HostedCluster; readonly now?: number }

/** What a pass over a cluster of this world sees. */
export function observationOf(world: World, told: Told = {}): ObservedHostedCluster {
  const { now: _, cluster = clusterIn(world), ...rest } = told
  return {
    cluster,
    objects: world,
    releases: releasesFor('4.19.6'),
    operatorImage: found({ image: 'example.com/ocp/hypershift:4.19.6', labels: {} }),
    kubevirtProblem: undefined,
    management,
    ...rest,
  }
}

export function clusterIn(world: World, name = 'prod'): HostedCluster {
  const cluster = world.list(HostedClusterKind).find(({ metadata }) => metadata.name === name)
  if (cluster === undefined) throw new Error(`there is no HostedCluster ${name}`)
  return cluster
}

/** One pass: decides, carries out, and returns what was decided. */
export function pass(world: World, told: Told = {}): HostedClusterPlan {
  const { now = noon } = told
  const plan = decideHostedCluster(observationOf(world, told), now, identifiers)
  world.carryOut(plan.actions, now)
  return plan
}

export const unreachable: Told['operatorImage'] = failed('the registry does not answer')
