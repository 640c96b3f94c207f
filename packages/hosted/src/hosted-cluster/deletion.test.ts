import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, ClusterRole, ConfigMap, Deployment, HostedCluster, HostedControlPlane, Namespace, NodePool, Secret } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { aCapiCluster, aClusterRole, aCondition, aDeployment, aNodePool } from '@windlass/api/fixtures'
import { findCondition, formatTime } from '@windlass/core'
import { aCompleteCluster, aControlPlane, clusterIn, home, noon, pass, pullSecret, World } from './testing/index.ts'
import { Annotation, Finalizer, referencedBy } from './wire.ts'

const { cluster: finalizer } = Finalizer
type Told = { readonly annotations?: Record<string, string>; readonly status?: NonNullable<HostedCluster['status']> }

function going({ annotations = {}, status }: Told = {}): HostedCluster {
  return aCompleteCluster({
    metadata: { finalizers: [finalizer], annotations, deletionTimestamp: formatTime(noon) },
    ...(status === undefined ? {} : { status }),
  })
}

const cluster = { namespace: 'clusters', name: 'prod' }
const controlPlane = { namespace: 'clusters-prod', name: 'prod' }
const machines = { namespace: 'clusters-prod', name: 'prod-7k2xq' }
const held = <T extends KubernetesObject>(object: T): T => ({ ...object, metadata: { ...object.metadata, finalizers: ['theirs'] } })
const withSpec = (object: HostedCluster, spec: Partial<HostedCluster['spec']>): HostedCluster => ({
  ...object,
  spec: { ...object.spec, ...spec },
})
const isThere = (world: World): boolean => world.find(HostedCluster, cluster) !== undefined

describe('deleting a cluster', () => {
  it('L27 waits for the machines first, and looks every five seconds', () => {
    const world = new World([going(), held(aCapiCluster({ spec: { paused: true } })), aControlPlane(), home, aNodePool()])
    const plan = pass(world)
    assert.equal(plan.requeueAfter, 5_000)
    assert.match(plan.waitingFor ?? '', /^Cluster clusters-prod\/prod-7k2xq and its machines to be gone$/)
    assert.equal(world.find(HostedControlPlane, controlPlane)?.metadata.deletionTimestamp, undefined)
    assert.equal(world.find(capi.Cluster, machines)?.spec.paused, false)
    assert.notEqual(world.find(capi.Cluster, machines)?.metadata.deletionTimestamp, undefined)
    assert.equal(world.find(NodePool, { namespace: 'clusters', name: 'workers' }), undefined)
  })

  it('L28 waits for the control plane before the namespace goes', () => {
    const world = new World([going(), aControlPlane({ metadata: { finalizers: [finalizer], deletionTimestamp: formatTime(noon) } }), home])
    const plan = pass(world)
    assert.equal(plan.waitingFor, 'HostedControlPlane clusters-prod/prod to be gone')
    assert.equal(world.find(Namespace, { name: 'clusters-prod' })?.metadata.deletionTimestamp, undefined)
  })

  it('waits for the namespace before the cluster goes', () => {
    const world = new World([going(), home])
    assert.equal(pass(world).waitingFor, 'Namespace clusters-prod to be gone')
    assert.ok(isThere(world))
    world.drop(Namespace, { name: 'clusters-prod' })
    pass(world)
    assert.equal(isThere(world), false)
  })

  it('L29 starts the grace period when everything is gone', () => {
    const world = new World([going({ annotations: { [Annotation.destroyGracePeriod]: '120s' } })])
    const plan = pass(world)
    const condition = findCondition(clusterIn(world).status?.conditions, 'HostedClusterDestroyed')
    assert.deepEqual(
      [condition?.status, condition?.reason, condition?.message],
      ['True', 'WaitingForGracePeriod', 'Grace period set: 2m0s'],
    )
    assert.equal(plan.requeueAfter, 120_000)
    assert.deepEqual(clusterIn(world).metadata.finalizers, [finalizer])
  })

  const destroyed = { ...aCondition('HostedClusterDestroyed', 'True', 'WaitingForGracePeriod'), lastTransitionTime: formatTime(noon) }

  it('L30 waits for the rest of the grace period', () => {
    const world = new World([going({ annotations: { [Annotation.destroyGracePeriod]: '120s' }, status: { conditions: [destroyed] } })])
    assert.equal(pass(world, { now: noon + 30_000 }).requeueAfter, 90_000)
    assert.ok(isThere(world))
  })

  it('L31 ends after the grace period, though something was left in the cloud', () => {
    const conditions = [destroyed, aCondition('CloudResourcesDestroyed', 'False', 'CloudResourcesDeletionTimedOut')]
    const world = new World([going({ annotations: { [Annotation.destroyGracePeriod]: '120s' }, status: { conditions } })])
    pass(world, { now: noon + 121_000 })
    assert.equal(isThere(world), false)
  })

  it('ends at once when the grace period is taken away', () => {
    const world = new World([going({ status: { conditions: [destroyed] } })])
    pass(world, { now: noon + 1_000 })
    assert.equal(isThere(world), false)
  })

  it('starts again when the cluster does not count as destroyed any more', () => {
    const undone = { ...destroyed, status: 'Unknown' } as const
    const world = new World([going({ annotations: { [Annotation.destroyGracePeriod]: '2m' }, status: { conditions: [undone] } })])
    assert.equal(pass(world, { now: noon + 300_000 }).requeueAfter, 120_000)
  })

  it('does not take the cluster down again once it is destroyed', () => {
    const status = { conditions: [destroyed] }
    const world = new World([going({ annotations: { [Annotation.destroyGracePeriod]: '120s' }, status }), aControlPlane(), home])
    assert.equal(pass(world, { now: noon + 1_000 }).waitingFor, 'the grace period to end')
    assert.equal(world.find(HostedControlPlane, controlPlane)?.metadata.deletionTimestamp, undefined)
  })

  it('L33 leaves the namespace when it is told to', () => {
    const world = new World([going({ annotations: { [Annotation.skipNamespaceDeletion]: 'true' } }), home])
    pass(world)
    assert.equal(world.find(Namespace, { name: 'clusters-prod' })?.metadata.deletionTimestamp, undefined)
    assert.equal(isThere(world), false)
  })

  it('stops before the end when the grace period cannot be read', () => {
    const world = new World([going({ annotations: { [Annotation.destroyGracePeriod]: 'soon' } })])
    const plan = pass(world)
    assert.match(plan.error ?? '', /destroy-grace-period: "soon" is not a duration/)
    assert.match(findCondition(clusterIn(world).status?.conditions, 'ReconciliationSucceeded')?.message ?? '', /is not a duration/)
    assert.deepEqual(clusterIn(world).metadata.finalizers, [finalizer])
  })

  it('ignores a pause', () => {
    const world = new World([withSpec(going(), { pausedUntil: 'true' })])
    pass(world)
    assert.equal(isThere(world), false)
  })

  it('lets the Deployments of Cluster API go when the machines are gone', () => {
    const deployment = aDeployment({ name: 'cluster-api', metadata: { finalizers: [Finalizer.component] } })
    const world = new World([going(), aControlPlane(), deployment, home])
    pass(world)
    assert.deepEqual(world.find(Deployment, { namespace: 'clusters-prod', name: 'cluster-api' })?.metadata.finalizers, [])
  })

  it('passes on that the cloud is to be cleaned up', () => {
    const world = new World([
      going({ annotations: { [Annotation.cleanupCloudResources]: 'true' } }),
      held(aCapiCluster()),
      aControlPlane(),
      home,
    ])
    pass(world)
    assert.equal(world.find(HostedControlPlane, controlPlane)?.metadata.annotations?.[Annotation.cleanupCloudResources], 'true')
  })

  it('takes the finalizer of Karpenter away when nobody else will', () => {
    const finalizers = [finalizer, Finalizer.karpenter]
    const left = (spec: Partial<HostedCluster['spec']>, ...objects: readonly KubernetesObject[]) => {
      const world = new World([withSpec(going(), spec), aControlPlane({ metadata: { finalizers } }), home, ...objects])
      pass(world)
      return world.find(HostedControlPlane, controlPlane)?.metadata.finalizers
    }
    const autoNode = { provisionerConfig: { name: 'Karpenter' } } as const
    assert.deepEqual(left({}), [finalizer])
    assert.deepEqual(left({ autoNode }), [finalizer])
    assert.deepEqual(left({ autoNode }, aDeployment()), finalizers)
  })

  it('removes its rights, and the marks on what it referred to', () => {
    const mark = referencedBy('prod')
    const marked = { ...pullSecret, metadata: { ...pullSecret.metadata, annotations: { [mark]: 'true', mine: 'x' } } }
    const labels = { 'hypershift.openshift.io/owner.namespace': 'clusters', 'hypershift.openshift.io/owner.name': 'prod' }
    const world = new World([going(), marked, aClusterRole({ name: 'ours', metadata: { labels } }), aClusterRole({ name: 'theirs' })])
    pass(world)
    assert.deepEqual(world.find(Secret, { namespace: 'clusters', name: 'prod-pull-secret' })?.metadata.annotations, { mine: 'x' })
    assert.deepEqual(
      world.list(ClusterRole).map(({ metadata }) => metadata.name),
      ['theirs'],
    )
    assert.equal(world.list(ConfigMap).length, 0)
  })

  it('does not touch the namespace that another cluster of a similar name lives in', () => {
    const other = aControlPlane({ name: 'c', namespace: 'a-b-c', metadata: { annotations: { [Annotation.cluster]: 'a-b/c' } } })
    const theirs = { ...home, metadata: { ...home.metadata, name: 'a-b-c', annotations: { [Annotation.cluster]: 'a-b/c' } } }
    const operator = aDeployment({ name: 'cluster-api', namespace: 'a-b-c', metadata: { finalizers: [Finalizer.component] } })
    const refused = aCompleteCluster({
      name: 'b-c',
      namespace: 'a',
      metadata: { finalizers: [finalizer], deletionTimestamp: formatTime(noon) },
    })
    const world = new World([refused, other, theirs, operator])
    pass(world, { cluster: refused })
    assert.equal(world.find(HostedCluster, { namespace: 'a', name: 'b-c' }), undefined)
    assert.deepEqual(
      world.writes.filter((write) => write.includes('a-b-c')),
      [],
    )
  })

  it('does not ask any registry', () => {
    const world = new World([going({ annotations: { [Annotation.skipNamespaceDeletion]: 'true' } })])
    assert.equal(pass(world, { releases: new Map() }).error, undefined)
  })
})
