import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, HostedCluster, HostedControlPlane, Namespace } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import {
  aCapiCluster,
  aCondition,
  aConfigMap,
  aDeployment,
  aHostedCluster,
  aNamespace,
  aNodePool,
  aReleaseImage,
  aVersionStatus,
} from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import * as fc from 'fast-check'
import { failed } from './lookup.ts'
import {
  aControlPlane,
  belongings,
  encryptionKey,
  home,
  kubeconfig,
  noon,
  pass,
  pullSecret,
  releasesFor,
  sshKey,
  World,
} from './testing/index.ts'
import { Finalizer, mirroredAnnotations } from './wire.ts'

type Spec = HostedCluster['spec']

const status = fc.constantFrom('True', 'False', 'Unknown')
const conditions = fc
  .subarray([
    'Available',
    'Degraded',
    'ClusterVersionUpgradeable',
    'ClusterVersionFailing',
    'EtcdAvailable',
    'HostedClusterRestoredFromBackup',
  ])
  .chain((types) => fc.tuple(...types.map((type) => status.map((value) => aCondition(type, value, 'R', 'm')))))

/** Clusters of every sort, with or without what they refer to and what was made for them. */
const anyWorld = fc
  .record({
    platform: fc.constantFrom<Spec['platform']>(
      { type: 'KubeVirt' },
      { type: 'KubeVirt', kubevirt: { generateID: 'prod-7k2xq', baseDomainPassthrough: true } },
      { type: 'None' },
      { type: 'Agent', agent: { agentNamespace: 'agents' } },
      { type: 'AWS' },
      { type: 'IBMCloud' },
    ),
    release: fc.constantFrom('4.18.4', '4.19.6', '4.20.1', '4.13.9', '4.21.0'),
    runs: fc.constantFrom(undefined, '4.18.4', '4.19.6'),
    pausedUntil: fc.constantFrom(undefined, 'true', 'nonsense', '2026-03-06T13:00:00Z'),
    annotations: fc.dictionary(
      fc.constantFrom(...mirroredAnnotations, 'hypershift.openshift.io/force-upgrade-to', 'hypershift.openshift.io/restart-date'),
      fc.constantFrom('true', 'x'),
    ),
    present: fc.subarray<KubernetesObject>([
      ...belongings,
      home,
      kubeconfig,
      aNamespace({ name: 'agents' }),
      aNamespace({ name: 'openshift-ingress' }),
      aConfigMap({ name: 'user-ca-bundle', metadata: { annotations: { 'hypershift.openshift.io/cluster': 'clusters/prod' } } }),
      aDeployment({ name: 'cluster-api' }),
      aDeployment({ name: 'ignition-server' }),
      aNodePool(),
      aCapiCluster(),
    ]),
    isComplete: fc.boolean(),
    hasControlPlane: fc.boolean(),
    conditions,
    isRegistryUp: fc.boolean(),
    unserved: fc.subarray(['Route', 'KubevirtCluster', 'AgentCluster', 'ControlPlaneComponent']),
  })
  .map((told) => {
    const bare = aHostedCluster({
      release: told.release,
      metadata: { annotations: told.annotations, ...(told.isComplete ? { finalizers: [Finalizer.cluster] } : {}) },
      spec: { platform: told.platform, ...(told.pausedUntil === undefined ? {} : { pausedUntil: told.pausedUntil }) },
    })
    const { clusterID: _, infraID: __, ...rest } = bare.spec
    const { status: ___, ...unseen } = bare
    const cluster = told.isComplete ? unseen : { ...unseen, spec: rest }
    const { runs } = told
    const controlPlane = aControlPlane({
      status: {
        ready: true,
        initialized: true,
        conditions: told.conditions,
        ...(runs === undefined ? {} : { versionStatus: aVersionStatus(runs) }),
      },
    })
    const objects = [aNamespace({ name: 'clusters' }), cluster, ...told.present, ...(told.hasControlPlane ? [home, controlPlane] : [])]
    const releases = told.isRegistryUp
      ? releasesFor('4.13.9', '4.18.4', '4.19.6', '4.20.1', '4.21.0')
      : new Map([[aReleaseImage(told.release), failed('the registry is down')]])
    return { world: new World(objects, told.unserved), releases }
  })

describe('whatever the cluster', () => {
  it('W9 passes come to rest: after a few of them there is nothing to do', () => {
    fc.assert(
      fc.property(anyWorld, ({ world, releases }) => {
        // Complete it, report on it and make everything, report on what was made; each may take two passes.
        for (let count = 0; count < 5; count++) pass(world, { releases })
        const { actions } = pass(world, { releases })
        assert.deepEqual(
          actions.map((action) => `${action.do} ${action.do === 'event' ? action.word : action.kind.kind}: ${action.reason}`),
          [],
        )
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  it('no plan gets in its own way, and every action says why', () => {
    fc.assert(
      fc.property(anyWorld, ({ world, releases }) => {
        // A precondition that does not hold makes the world throw.
        const { actions } = pass(world, { releases })
        for (const { reason } of actions) assert.notEqual(reason, '')
      }),
      { seed: 2 },
    )
  })

  it('nothing is propagated while a gate is closed', () => {
    fc.assert(
      fc.property(anyWorld, ({ world, releases }) => {
        const { operations } = pass(world, { releases })
        const isWritten = world.writes.some((write) => write.startsWith('create HostedControlPlane'))
        if (operations.length === 0) assert.equal(isWritten, false)
      }),
      { seed: 3 },
    )
  })

  it('a deletion comes to its end when everybody lets go', () => {
    const remnants = fc.subarray<KubernetesObject>([
      home,
      aControlPlane(),
      aCapiCluster(),
      aNodePool(),
      pullSecret,
      sshKey,
      encryptionKey,
      aDeployment({ name: 'capi-provider' }),
    ])
    fc.assert(
      fc.property(remnants, fc.boolean(), (objects, hasGrace) => {
        const annotations = hasGrace ? { 'hypershift.openshift.io/destroy-grace-period': '1m' } : {}
        const cluster = aHostedCluster({ metadata: { finalizers: [Finalizer.cluster], annotations, deletionTimestamp: formatTime(noon) } })
        const world = new World([cluster, ...objects])
        const isGone = (): boolean => world.find(HostedCluster, { namespace: 'clusters', name: 'prod' }) === undefined
        for (let count = 0; count < 10 && !isGone(); count++) {
          pass(world, { now: noon + count * 30_000 })
          letGo(world, HostedControlPlane, { namespace: 'clusters-prod', name: 'prod' })
          letGo(world, capi.Cluster, { namespace: 'clusters-prod', name: 'prod-7k2xq' })
          letGo(world, Namespace, { name: 'clusters-prod' })
        }
        assert.ok(isGone())
        assert.equal(world.find(HostedControlPlane, { namespace: 'clusters-prod', name: 'prod' }), undefined)
      }),
      { seed: 4 },
    )
  })
})

/** Whoever holds an object that is being deleted is done with it. */
function letGo(world: World, kind: Resource, ref: { readonly namespace?: string; readonly name: string }): void {
  if (world.find(kind, ref)?.metadata.deletionTimestamp !== undefined) world.drop(kind, ref)
}
