import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, HostedCluster, HostedControlPlane, NetworkPolicy, Secret } from '@windlass/api'
import { aCondition, aControlPlaneVersion, aReleaseImage, aVersionStatus } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import { failed } from './lookup.ts'
import {
  aCompleteCluster,
  aControlPlane,
  aNewCluster,
  annotated,
  aUserSecret,
  belongings,
  clusterIn,
  encryptionKey,
  home,
  noon,
  pass,
  pullSecret,
  releasesFor,
  running,
  sshKey,
  World,
} from './testing/index.ts'
import { Annotation } from './wire.ts'

const controlPlaneIn = (world: World): HostedControlPlane =>
  world.find(HostedControlPlane, { namespace: 'clusters-prod', name: 'prod' }) ?? assert.fail('there is no control plane')
const conditionOf = (world: World, type: string) => findCondition(clusterIn(world).status?.conditions, type)
const said = (world: World, type: string): string => {
  const { status, reason, message } = conditionOf(world, type) ?? assert.fail(`there is no condition ${type}`)
  return `${status} ${reason}: ${message}`
}
const operatorsOf = (plan: ReturnType<typeof pass>): readonly string[] =>
  plan.operations.flatMap(({ components }) => components.map(({ name }) => name))
const operatorNames = ['control-plane-operator', 'cluster-api', 'capi-provider', 'karpenter-operator']

/** The guest runs `version` and says whether it can be upgraded. */
function aGuestAt(
  version: string,
  upgradeable: 'True' | 'False' | 'Unknown',
  told: { readonly annotations?: Record<string, string> } = {},
) {
  return aControlPlane({
    release: version,
    ...(told.annotations === undefined ? {} : { metadata: { annotations: told.annotations } }),
    status: {
      ready: true,
      initialized: true,
      versionStatus: aVersionStatus(version),
      controlPlaneVersion: aControlPlaneVersion(version),
      conditions: [aCondition('Available', 'True'), aCondition('ClusterVersionUpgradeable', upgradeable, 'AdminAckRequired', 'ack first')],
    },
  })
}

/** A cluster at `from` of which `to` is asked, and what one pass makes of it. */
function upgrade(
  from: string,
  to: string,
  upgradeable: 'True' | 'False' | 'Unknown',
  told: { readonly annotations?: Record<string, string>; readonly spec?: Partial<HostedCluster['spec']> } = {},
) {
  const cluster = aCompleteCluster({
    release: from,
    ...annotated(told.annotations ?? {}),
    spec: { release: { image: aReleaseImage(to) }, ...told.spec },
  })
  const world = new World(running(cluster, aGuestAt(from, upgradeable)))
  const plan = pass(world, { releases: releasesFor(from, to) })
  return { world, plan, image: controlPlaneIn(world).spec.releaseImage }
}

describe('creating a cluster', () => {
  it('L01 puts the control plane of clusters/my.hc into clusters-my-hc, under the name of the cluster', () => {
    const world = new World([...belongings, aNewCluster({ name: 'my.hc' })])
    const cluster = clusterIn(world, 'my.hc')
    pass(world, { cluster })
    assert.ok(world.writes.includes('create Namespace clusters-my-hc'), world.writes.join('\n'))
    assert.ok(world.writes.includes('create HostedControlPlane clusters-my-hc/my.hc'))
    const made = world.find(HostedControlPlane, { namespace: 'clusters-my-hc', name: 'my.hc' })
    assert.equal(made?.metadata.annotations?.[Annotation.cluster], 'clusters/my.hc')
  })

  it('L02 is refused when the namespace holds the control plane of another cluster, and nothing is written there', () => {
    const other = aControlPlane({ name: 'c', namespace: 'a-b-c', metadata: { annotations: { [Annotation.cluster]: 'a-b/c' } } })
    const cluster = aNewCluster({ name: 'b-c', namespace: 'a' })
    const world = new World([cluster, other, aUserSecret('prod-pull-secret', { '.dockerconfigjson': '{"auths":{}}' }, 'a')])
    const plan = pass(world, { cluster })
    const condition = findCondition(clusterIn(world, 'b-c').status?.conditions, 'ValidConfiguration')
    assert.equal(condition?.status, 'False')
    assert.equal(condition.reason, 'InvalidConfiguration')
    assert.match(condition.message, /a-b-c of its control plane belongs to HostedCluster a-b\/c/)
    assert.deepEqual(new Set(world.writes), new Set(['status HostedCluster a/b-c']))
    assert.match(plan.error ?? '', /configuration is invalid/)
  })

  it('makes everything in one pass once the cluster is complete, and has nothing to do in the next', () => {
    const world = new World([...belongings, aNewCluster()])
    const first = pass(world)
    assert.equal(first.error, undefined)
    assert.deepEqual(operatorsOf(first), operatorNames)
    for (const name of ['pull-secret', 'ssh-key', 'prod-etcd-encryption-key'])
      assert.ok(world.find(Secret, { namespace: 'clusters-prod', name }), name)
    for (const name of ['same-namespace', 'kas', 'openshift-monitoring', 'openshift-ingress', 'virt-launcher'])
      assert.ok(world.find(NetworkPolicy, { namespace: 'clusters-prod', name }), name)
    const made = world.find(capi.Cluster, { namespace: 'clusters-prod', name: 'prod-7k2xq' })
    assert.equal(made?.spec.controlPlaneRef?.name, 'prod')
    assert.equal(made.spec.infrastructureRef?.kind, 'KubevirtCluster')
    // The control plane exists now, which changes what is said of it. After that, nothing.
    pass(world)
    assert.deepEqual(pass(world).actions, [])
  })
})

describe('what the control plane is told', () => {
  it('L04 an annotation that is no longer on the cluster goes from the control plane too', () => {
    const key = 'hypershift.openshift.io/disable-profiling'
    const live = aControlPlane({
      metadata: { annotations: { [Annotation.cluster]: 'clusters/prod', [key]: 'kube-scheduler', theirs: 'stays' } },
    })
    const world = new World(running(aCompleteCluster(), live))
    pass(world)
    const { annotations = {} } = controlPlaneIn(world).metadata
    assert.equal(key in annotations, false)
    assert.equal(annotations['theirs'], 'stays')
  })

  it('L41 the version of the control plane is repeated on the cluster, and kept there when the control plane is gone', () => {
    const moved = aControlPlaneVersion('4.20.1')
    const live = aControlPlane({ status: { ready: true, initialized: true, controlPlaneVersion: moved } })
    const world = new World(running(aCompleteCluster(), live))
    pass(world)
    assert.deepEqual(clusterIn(world).status?.controlPlaneVersion, moved)
    world.drop(HostedControlPlane, { namespace: 'clusters-prod', name: 'prod' })
    const cluster = { ...clusterIn(world), spec: { ...clusterIn(world).spec, pausedUntil: 'true' } }
    world.put(cluster)
    pass(world)
    assert.deepEqual(clusterIn(world).status?.controlPlaneVersion, moved)
  })

  it('L41 a control plane that has no version takes it from the cluster', () => {
    const world = new World(running(aCompleteCluster(), aControlPlane({ status: { ready: true, initialized: true } })))
    pass(world)
    assert.equal(clusterIn(world).status?.controlPlaneVersion, undefined)
  })
})

describe('something is missing', () => {
  it('L05 without its pull secret a cluster still passes changes on, but gets no operators', () => {
    const cluster = aCompleteCluster({
      metadata: { finalizers: ['hypershift.openshift.io/finalizer'], generation: 2 },
      spec: { nodeSelector: { pool: 'b' } },
    })
    const world = new World([encryptionKey, sshKey, cluster, home, aControlPlane({ spec: { nodeSelector: { pool: 'a' } } })])
    const releases = new Map([[aReleaseImage('4.19.6'), failed('no credentials')]])
    const plan = pass(world, { releases, operatorImage: failed('no credentials') })
    assert.deepEqual(controlPlaneIn(world).spec.nodeSelector, { pool: 'b' })
    assert.match(said(world, 'ValidReleaseImage'), /^False SecretNotFound: pull secret clusters\/prod-pull-secret not found/)
    assert.deepEqual(operatorsOf(plan), [])
    assert.match(plan.error ?? '', /^critical error: .*pull secret.*blocked operations: \[.*OperatorDeployments/)
    assert.match(said(world, 'ReconciliationSucceeded'), /^False ReconciliationError: critical error/)
  })

  it('L06 without its SSH key a cluster gets everything else', () => {
    const world = new World([pullSecret, encryptionKey, aNewCluster(), home])
    const plan = pass(world)
    assert.match(plan.error ?? '', /SSHKey Secret clusters\/prod-ssh-key/)
    assert.ok(controlPlaneIn(world))
    assert.deepEqual(operatorsOf(plan), operatorNames)
  })

  it('L07 without its encryption key a cluster gets a control plane, but no operators', () => {
    const world = new World([pullSecret, sshKey, aNewCluster(), home])
    const plan = pass(world)
    assert.ok(controlPlaneIn(world))
    assert.deepEqual(operatorsOf(plan), [])
    assert.equal(world.list(NetworkPolicy).length, 0)
    assert.match(
      plan.error ?? '',
      /^critical error: failed to get active aescbc key Secret clusters\/prod-etcd-encryption-key: not found; blocked operations: \[KubeconfigAndPasswordSync, MonitoringAndCLISecrets, OperatorDeployments, PlatformOIDCAndCSI, RBACAndPolicies\]$/,
    )
  })

  it('a Secret without the encryption key is only worth a note', () => {
    const world = new World([pullSecret, sshKey, aUserSecret('prod-etcd-encryption-key', { other: 'x' }), aNewCluster(), home])
    const plan = pass(world)
    assert.equal(plan.error, undefined)
    assert.match(plan.notes.join(), /must have a key named key/)
  })
})

describe('upgrading', () => {
  const isBlocked = ({ world, plan, image }: ReturnType<typeof upgrade>, from: string): void => {
    assert.equal(image, aReleaseImage(from))
    assert.match(said(world, 'Progressing'), /^False Blocked: ClusterVersionUpgradeable condition is false: /)
    assert.deepEqual(plan.operations, [])
    assert.equal(plan.error, undefined)
  }
  const isAllowed = ({ image, plan }: ReturnType<typeof upgrade>, to: string): void => {
    assert.equal(image, aReleaseImage(to))
    assert.equal(plan.error, undefined)
  }

  it('L13 to another minor waits while the guest says that it is not upgradeable', () =>
    isBlocked(upgrade('4.18.4', '4.19.6', 'False'), '4.18.4'))
  it('L14 to another minor waits while nobody knows', () => isBlocked(upgrade('4.18.4', '4.19.6', 'Unknown'), '4.18.4'))
  it('L15 to another patch goes ahead', () => isAllowed(upgrade('4.18.1', '4.18.2', 'False'), '4.18.2'))
  it('L16 goes ahead when it is forced to that very image', () => {
    const annotations = { [Annotation.forceUpgradeTo]: aReleaseImage('4.19.6') }
    isAllowed(upgrade('4.18.4', '4.19.6', 'False', { annotations }), '4.19.6')
  })
  it('L17 waits, even to another patch, while an annotation forces another image', () => {
    const annotations = { [Annotation.forceUpgradeTo]: aReleaseImage('4.18.2') }
    isBlocked(upgrade('4.18.1', '4.18.3', 'False', { annotations }), '4.18.1')
  })
  it('L18 goes ahead when the release of the control plane is set apart', () => {
    const spec = { release: { image: aReleaseImage('4.18.4') }, controlPlaneRelease: { image: aReleaseImage('4.19.6') } }
    const { world, plan } = upgrade('4.18.4', '4.19.6', 'False', { spec })
    assert.equal(controlPlaneIn(world).spec.controlPlaneReleaseImage, aReleaseImage('4.19.6'))
    assert.equal(plan.error, undefined)
  })
  it('L21 from 4.23 to 5.0 is no downgrade: they are one minor', () => isAllowed(upgrade('4.23.4', '5.0.1', 'True'), '5.0.1'))

  it('L19 to an earlier minor is refused', () => {
    const { world, image } = upgrade('4.16.3', '4.15.8', 'True')
    assert.equal(said(world, 'ValidReleaseImage'), 'False InvalidImage: y-stream downgrade from "4.16.3" to "4.15.8" is not supported')
    assert.equal(image, aReleaseImage('4.16.3'))
  })

  it('L20 a new cluster must not be too old', () => {
    const cluster = aNewCluster({ release: '4.13.9' })
    const world = new World([...belongings, cluster])
    pass(world, { releases: releasesFor('4.13.9') })
    assert.equal(
      said(world, 'ValidReleaseImage'),
      'False InvalidImage: the minimum version supported for platform KubeVirt is: "4.14". Attempting to use: "4.13.9"',
    )
    assert.equal(world.find(HostedControlPlane, { namespace: 'clusters-prod', name: 'prod' }), undefined)
  })

  it('L22 a release that is valid for this generation is not looked up again', () => {
    const conditions = [{ ...aCondition('ValidReleaseImage', 'True', 'AsExpected', 'Release image is valid'), observedGeneration: 3 }]
    const cluster = aCompleteCluster({
      metadata: { generation: 3, finalizers: ['hypershift.openshift.io/finalizer'] },
      status: { conditions, version: aVersionStatus('4.19.6') },
    })
    const world = new World(running(cluster, aGuestAt('4.19.6', 'True')))
    pass(world, { releases: new Map([[aReleaseImage('4.19.6'), failed('the registry is down')]]) })
    assert.equal(said(world, 'ValidReleaseImage'), 'True AsExpected: Release image is valid')
  })

  it('4.9 a release that could not be looked up is looked up again, though nothing changes', () => {
    const world = new World([...belongings, aNewCluster()])
    const plan = pass(world, { releases: new Map([[aReleaseImage('4.19.6'), failed('the registry is down')]]) })
    assert.match(said(world, 'ValidReleaseImage'), /^False InvalidImage: .*the registry is down/)
    assert.deepEqual([plan.error, plan.requeueAfter], [undefined, 15_000])
  })

  it('L23 an annotation skips the judgement, however old the release', () => {
    const cluster = aNewCluster({ release: '4.10.3', ...annotated({ [Annotation.skipReleaseImageValidation]: '' }) })
    const world = new World([...belongings, cluster])
    const plan = pass(world, { releases: releasesFor('4.10.3') })
    assert.match(said(world, 'ValidReleaseImage'), /^True AsExpected/)
    assert.equal(plan.error, undefined)
  })

  it('that skips a minor is told to people once, and not held up', () => {
    const { world, image } = upgrade('4.18.4', '4.20.1', 'True')
    assert.equal(image, aReleaseImage('4.20.1'))
    assert.deepEqual(world.events, ['Warning SkipLevelUpgrade'])
    pass(world, { releases: releasesFor('4.18.4', '4.20.1') })
    assert.deepEqual(world.events, ['Warning SkipLevelUpgrade'])
  })
})

describe('a pause', () => {
  const paused = (pausedUntil: string): World =>
    new World(running(aCompleteCluster({ spec: { pausedUntil, nodeSelector: { pool: 'b' } } }), aControlPlane()))

  it('L24 is passed on, and nothing else is', () => {
    const world = paused('true')
    const plan = pass(world)
    assert.equal(controlPlaneIn(world).spec.pausedUntil, 'true')
    assert.equal(controlPlaneIn(world).spec.nodeSelector, undefined)
    assert.equal(world.find(capi.Cluster, { namespace: 'clusters-prod', name: 'prod-7k2xq' })?.spec.paused, true)
    assert.equal(said(world, 'ReconciliationActive'), 'False ReconciliationPaused: Reconciliation paused until field removed')
    const others = world.writes.filter((write) => !/HostedCluster|HostedControlPlane clusters-prod|Cluster clusters-prod/.test(write))
    assert.deepEqual(others, [])
    assert.equal(plan.requeueAfter, undefined)
    assert.deepEqual(pass(world).actions, [])
  })

  it('L25 that ends in 30 minutes is looked at again then', () => {
    const plan = pass(paused('2026-03-06T12:30:00Z'))
    assert.equal(plan.requeueAfter, 1_800_000)
  })

  it('L26 that cannot be read is none', () => {
    const world = paused('2026-13-45T00:00:00Z')
    const plan = pass(world)
    assert.equal(said(world, 'ReconciliationActive'), 'True InvalidPausedUntilValue: Invalid value provided for PausedUntil field')
    assert.deepEqual(operatorsOf(plan), operatorNames)
  })

  it('ends: the control plane is told, and Cluster API goes on', () => {
    const world = paused('2026-03-06T12:30:00Z')
    pass(world)
    pass(world, { now: noon + 1_800_000 })
    pass(world, { now: noon + 1_800_000 })
    assert.equal(world.find(capi.Cluster, { namespace: 'clusters-prod', name: 'prod-7k2xq' })?.spec.paused, false)
    assert.deepEqual(controlPlaneIn(world).spec.nodeSelector, { pool: 'b' })
  })
})

describe('how a pass ended', () => {
  it('L12 is told with a misspelt word, and its time stays while nothing changes', () => {
    const world = new World(running(aCompleteCluster(), aControlPlane()))
    pass(world)
    const first = conditionOf(world, 'ReconciliationSucceeded')
    assert.equal(first?.status, 'True')
    assert.equal(first.reason, 'ReconciliatonSucceeded')
    pass(world, { now: noon + 60_000 })
    pass(world, { now: noon + 120_000 })
    assert.equal(conditionOf(world, 'ReconciliationSucceeded')?.lastTransitionTime, first.lastTransitionTime)
  })

  it('L32 a grace period that cannot be read does not matter to a cluster that lives', () => {
    const world = new World(running(aCompleteCluster(annotated({ [Annotation.destroyGracePeriod]: 'not-a-duration' })), aControlPlane()))
    assert.equal(pass(world).error, undefined)
    assert.match(said(world, 'ReconciliationSucceeded'), /^True/)
  })

  it('that is not complete is completed first, and looked at by the next pass', () => {
    const { finalizers: _, ...metadata } = aCompleteCluster().metadata
    const bare = aNewCluster()
    const { clusterID: __, infraID: ___, ...spec } = bare.spec
    const world = new World([...belongings, { ...bare, metadata, spec: { ...spec, platform: { type: 'KubeVirt' } } } as HostedCluster])
    pass(world)
    assert.deepEqual(world.writes, ['patch HostedCluster clusters/prod'])
    const cluster = clusterIn(world)
    assert.deepEqual(cluster.metadata.finalizers, ['hypershift.openshift.io/finalizer'])
    assert.equal(cluster.spec.infraID, 'prod-x4k9z')
    assert.equal(cluster.spec.clusterID, '0f8d1c6e-2d7a-4a31-9d5e-5f0b8c1e7a42')
    assert.equal(cluster.spec.platform.kubevirt?.generateID, 'bcdfgh2456')
    assert.equal(pass(world).error, undefined)
    assert.equal(controlPlaneIn(world).spec.infraID, 'prod-x4k9z')
  })

  it('a cluster whose namespace would have too long a name is told so', () => {
    const name = 'x'.repeat(60)
    const world = new World([...belongings, aNewCluster({ name })])
    const plan = pass(world, { cluster: clusterIn(world, name) })
    assert.match(plan.error ?? '', /69 characters; a namespace has at most 63/)
    assert.deepEqual(plan.operations, [])
  })

  it('the first time a cluster is available is marked on it', () => {
    const world = new World(running(aCompleteCluster(), aControlPlane()))
    pass(world)
    assert.equal(clusterIn(world).metadata.annotations?.[Annotation.hasBeenAvailable], 'true')
  })
})
