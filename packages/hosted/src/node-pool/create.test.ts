import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, HostedCluster, KubevirtMachineTemplate, Secret } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { aCapiMachine, aHostedCluster } from '@windlass/api/fixtures'
import { failed } from '../hosted-cluster/index.ts'
import { World } from '../hosted-cluster/testing/index.ts'
import { unhealthyConditions } from './conditions/index.ts'
import {
  aNewPool,
  aPlace,
  aWorld,
  messageOf,
  noon,
  observe,
  pass,
  poolIn,
  Provider,
  said,
  secretsIn,
  settings,
  settle,
  setRelease,
} from './testing/index.ts'
import { decideNodePool } from './decide.ts'
import { Annotation, PoolAnnotation } from './wire.ts'

const types = (pool: NodePool): readonly string[] => (pool.status?.conditions ?? []).map(({ type }) => type)
const deploymentIn = (world: World) => world.find(capi.MachineDeployment, { namespace: 'clusters-prod', name: 'workers' })

function clusterWithout(...fields: readonly string[]): HostedCluster {
  const cluster = aHostedCluster()
  const status = Object.fromEntries(Object.entries(cluster.status ?? {}).filter(([field]) => !fields.includes(field)))
  return { ...cluster, status }
}

describe('a new pool', () => {
  it('NP-01 gets its finalizer, its owner, Secrets and machines in the first pass', () => {
    const world = aWorld()
    const { error } = pass(world)
    const pool = poolIn(world)
    assert.equal(error, undefined)
    assert.deepEqual(pool.metadata.finalizers, ['hypershift.openshift.io/finalizer'])
    assert.deepEqual(
      pool.metadata.ownerReferences?.map(({ kind, name, controller }) => [kind, name, controller]),
      [['HostedCluster', 'prod', undefined]],
    )
    const [token = '', userData = ''] = secretsIn(world)
    assert.match(token, /^token-workers-[0-9a-f]{8}$/)
    assert.equal(userData, token.replace('token', 'user-data'))
    const { spec, metadata } = deploymentIn(world) ?? assert.fail()
    assert.equal(spec.replicas, 3)
    assert.equal(spec.template.spec?.version, '4.19.6')
    assert.equal(spec.template.spec?.bootstrap.dataSecretName, userData)
    assert.equal(metadata.annotations?.[Annotation.nodePool], 'clusters/workers')
    assert.equal(spec.template.metadata?.annotations?.[Annotation.releaseVersion], '4.19.6')
    assert.deepEqual(spec.selector.matchLabels, {
      'cluster.x-k8s.io/cluster-name': 'prod-7k2xq',
      'prod-7k2xq-prod-workers': 'prod-7k2xq-prod-workers',
    })
    assert.equal(pool.status?.version, undefined)
    assert.deepEqual([said(pool, 'UpdatingVersion'), said(pool, 'UpdatingConfig')], ['True/AsExpected', 'True/AsExpected'])
    assert.deepEqual([said(pool, 'ValidGeneratedPayload'), said(pool, 'ReachedIgnitionEndpoint')], ['False/NotFound', 'False/NotFound'])
  })

  it('NP-02 is healthy when all machines are up', () => {
    const world = aWorld()
    settle(world, new Provider(world))
    const pool = poolIn(world)
    assert.equal(pool.status?.version, '4.19.6')
    assert.equal(pool.status?.replicas, 3)
    assert.deepEqual(unhealthyConditions(pool), [])
    assert.equal(`token-workers-${pool.metadata.annotations?.[PoolAnnotation.currentConfigVersion] ?? ''}`, secretsIn(world)[0])
  })

  it('NP-02 says that it is updating still in the pass that finds it complete', () => {
    const world = aWorld()
    const provider = new Provider(world)
    let now = noon
    while (poolIn(world).status?.version === undefined) {
      pass(world, (now += 1000))
      provider.step(now)
    }
    assert.equal(said(poolIn(world), 'UpdatingVersion'), 'True/AsExpected')
    pass(world, now + 1000)
    assert.equal(said(poolIn(world), 'UpdatingVersion'), 'False/AsExpected')
  })

  it('writes nothing more when nothing changes', () => {
    const world = aWorld()
    const end = settle(world, new Provider(world))
    assert.deepEqual(pass(world, end).actions, [])
  })

  it('NP-03 waits quietly for its cluster', () => {
    const world = new World([...aPlace().filter(({ kind }) => kind !== 'HostedCluster'), aNewPool()])
    assert.deepEqual(pass(world), {
      actions: [],
      requeueAfter: 30_000,
      waitingFor: 'HostedCluster clusters/prod, which does not exist',
      error: undefined,
    })
    world.put(aHostedCluster())
    pass(world)
    assert.notEqual(deploymentIn(world), undefined)
  })

  it('NP-04 waits for the ignition endpoint', () => {
    const world = aWorld(undefined, clusterWithout('ignitionEndpoint'))
    const { error, waitingFor } = pass(world)
    assert.deepEqual([error, waitingFor], [undefined, 'the ignition endpoint of its cluster'])
    assert.equal(said(poolIn(world), 'IgnitionEndpointAvailable'), 'False/IgnitionEndpointMissing')
    assert.deepEqual(types(poolIn(world)), [
      'AutoscalingEnabled',
      'UpdateManagementEnabled',
      'ValidReleaseImage',
      'IgnitionEndpointAvailable',
    ])
    assert.deepEqual(secretsIn(world), [])
  })

  it('NP-05 waits for what the ignition server is verified with', () => {
    const world = aWorld()
    const ref = { namespace: 'clusters-prod', name: 'ignition-server-ca-cert' }
    const secret = world.find(Secret, ref) ?? assert.fail()
    world.drop(Secret, ref)
    pass(world)
    assert.equal(messageOf(poolIn(world), 'IgnitionEndpointAvailable'), 'still waiting for ignition CA cert Secret to exist')
    const empty: Secret = { ...secret, data: {} }
    world.put(empty)
    pass(world)
    assert.equal(said(poolIn(world), 'IgnitionEndpointAvailable'), 'False/IgnitionCACertMissing')
    assert.equal(messageOf(poolIn(world), 'IgnitionEndpointAvailable'), 'CA Secret is missing tls.crt key')
    world.put(secret)
    pass(world)
    assert.equal(said(poolIn(world), 'IgnitionEndpointAvailable'), undefined)
  })

  it('waits on Azure until the name of the ignition server is known', () => {
    const world = aWorld(aNewPool({ spec: { platform: { type: 'Azure', azure: { vmSize: 'Standard_D4s_v5' } } } }))
    assert.equal(pass(world, noon, { isIgnitionHostKnown: false }).requeueAfter, 10_000)
    assert.equal(said(poolIn(world), 'IgnitionEndpointAvailable'), 'False/ExternalDNSHostNotReachable')
  })

  it('NP-06 waits quietly for a kubeconfig', () => {
    const world = aWorld(undefined, clusterWithout('kubeconfig'))
    assert.equal(pass(world).error, undefined)
    assert.equal(said(poolIn(world), 'ValidMachineConfig'), undefined)
    assert.equal(said(poolIn(world), 'SupportedVersionSkew'), 'True/AsExpected')
    assert.equal(deploymentIn(world), undefined)
  })

  it('NP-07 cannot have machines that the payload has no images for', () => {
    const platform = { type: 'AWS', aws: { instanceType: 'm7g.large', subnet: { id: 'subnet-1' } } } as const
    const world = aWorld(aNewPool({ spec: { platform, arch: 'arm64' } }))
    const { error, actions } = pass(world)
    const message =
      'NodePool CPU arch, arm64, is not supported by the HostedCluster payload type, AMD64; either change the NodePool CPU arch or use a multi-arch release image'
    assert.equal(said(poolIn(world), 'ValidArchPlatform'), 'False/InvalidArchPlatform')
    assert.equal(messageOf(poolIn(world), 'ValidArchPlatform'), message)
    assert.equal(error, `NodePool clusters/workers: ${message}`)
    assert.deepEqual(world.events, ['Warning ReconcileError'])
    assert.equal(actions.at(-1)?.do, 'event')
  })

  it('goes on with machines that its platform does not have', () => {
    const cluster = aHostedCluster()
    const multi: HostedCluster = { ...cluster, status: { ...cluster.status, payloadArch: 'Multi' } }
    const world = aWorld(aNewPool({ spec: { arch: 'ppc64le' } }), multi)
    assert.equal(pass(world).error, undefined)
    assert.equal(
      messageOf(poolIn(world), 'ValidArchPlatform'),
      "CPU arch ppc64le is not supported for platform: KubeVirt, use 'amd64' instead",
    )
    assert.notEqual(deploymentIn(world), undefined)
  })

  it('NP-08 waits for the configuration of its cluster', () => {
    const world = aWorld()
    world.drop({ ...Secret, kind: 'ConfigMap' }, { namespace: 'clusters-prod', name: 'ignition-config-ssh' })
    assert.match(pass(world).error ?? '', /expected 2 core ignition configs, found 1$/)
    assert.equal(said(poolIn(world), 'ValidMachineConfig'), 'False/ValidationFailed')
    assert.equal(messageOf(poolIn(world), 'ValidMachineConfig'), 'expected 2 core ignition configs, found 1')
  })

  it('NP-09 must say how it is to be rolled out', () => {
    const world = aWorld(aNewPool({ spec: { management: { upgradeType: 'Replace', replace: { strategy: 'RollingUpdate' } } } }))
    const { requeueAfter, error } = pass(world)
    assert.deepEqual([requeueAfter, error], [undefined, undefined])
    assert.equal(
      messageOf(poolIn(world), 'UpdateManagementEnabled'),
      'this is unsupported. "Replace" upgrade type with strategy "RollingUpdate" require a MaxUnavailable and MaxSurge',
    )
    assert.equal(deploymentIn(world), undefined)
    assert.equal(said(poolIn(world), 'ValidReleaseImage'), undefined)
  })

  it('needs the pull secret and the trust bundle that its cluster names', () => {
    const world = aWorld(undefined, aHostedCluster({ spec: { additionalTrustBundle: { name: 'authorities' } } }))
    assert.match(pass(world).error ?? '', /ConfigMap clusters\/authorities does not exist$/)
    world.drop(Secret, { namespace: 'clusters', name: 'prod-pull-secret' })
    assert.match(pass(world).error ?? '', /Secret clusters\/prod-pull-secret does not exist$/)
    assert.deepEqual(secretsIn(world), [])
  })

  it('needs an image to start from', () => {
    const world = aWorld()
    assert.match(pass(world, noon, { bootImage: failed('there is none') }).error ?? '', /Couldn't discover a KubeVirt Image/)
    assert.equal(said(poolIn(world), 'ValidPlatformImage'), 'False/ValidationFailed')
  })

  it('says that its machines could not be listed, and keeps what it knew of its nodes', () => {
    const world = aWorld()
    settle(world, new Provider(world))
    const { error } = pass(world, noon, { machines: failed('the server is on fire') })
    assert.match(error ?? '', /on fire/)
    assert.equal(said(poolIn(world), 'AllMachinesReady'), 'Unknown/FailedToGet')
    assert.equal(poolIn(world).status?.nodesInfo?.nodeVersions.length, 1)
  })
})

describe('a pool of machines that somebody else makes', () => {
  it('NP-67 has Secrets and a version at once, and nothing of Cluster API', () => {
    const world = aWorld(aNewPool({ spec: { platform: { type: 'None' } } }))
    pass(world)
    assert.equal(secretsIn(world).length, 2)
    assert.deepEqual([...world.list(capi.MachineDeployment), ...world.list(capi.MachineSet)], [])
    assert.equal(poolIn(world).status?.version, '4.19.6')
    const cluster = world.find(HostedCluster, { namespace: 'clusters', name: 'prod' }) ?? assert.fail()
    world.put({ ...cluster, status: aHostedCluster({ release: '4.20.1' }).status } as HostedCluster)
    setRelease(world, '4.20.1')
    pass(world)
    assert.equal(poolIn(world).status?.version, '4.20.1')
  })
})

describe('what nodes run', () => {
  it('NP-68 is left out without nodes, and counts those that say it', () => {
    const world = aWorld()
    pass(world)
    assert.equal(poolIn(world).status?.nodesInfo, undefined)
    const annotations = { [Annotation.nodePool]: 'clusters/workers', [Annotation.releaseVersion]: '4.19.6' }
    const { nodeInfo: _, ...unborn } = aCapiMachine().status ?? assert.fail()
    const machine = (name: string, status: capi.Machine['status']) => {
      const made = aCapiMachine({ name, ...(status === undefined ? {} : { status }) })
      return { ...made, metadata: { ...made.metadata, annotations } }
    }
    world.put(machine('a', aCapiMachine().status))
    world.put(machine('b', unborn))
    pass(world)
    assert.deepEqual(poolIn(world).status?.nodesInfo?.nodeVersions, [
      { ocpVersion: '4.19.6', kubeletVersion: 'v1.32.6', readyNodeCount: 0, unreadyNodeCount: 1 },
    ])
  })
})

describe('a pool on KubeVirt', () => {
  it('2.2 says where its virtual machines run, when that is another cluster', () => {
    const cluster = aHostedCluster()
    const credentials = { infraNamespace: 'guests', infraKubeConfigSecret: { name: 'infra', key: 'kubeconfig' } }
    const { platform } = cluster.spec
    const elsewhere: HostedCluster = {
      ...cluster,
      spec: { ...cluster.spec, platform: { ...platform, kubevirt: { ...platform.kubevirt, credentials } } },
    }
    const world = aWorld(aNewPool(), elsewhere)
    pass(world)
    assert.deepEqual(poolIn(world).status?.platform, { kubeVirt: { credentials } })
    const [template] = world.list(KubevirtMachineTemplate)
    assert.equal(template?.spec.template.spec.virtualMachineTemplate?.metadata?.['namespace'], 'guests')
  })
})

describe('whose pools they are', () => {
  it('nothing is written when they are only observed', () => {
    const world = aWorld()
    assert.deepEqual(pass(world, noon, { settings: { ...settings, mode: 'Observe' } }).actions, [])
  })

  it('only those of our scope are ours', () => {
    const observed = observe(aWorld())
    const actions = (scope: string) => decideNodePool(observed, noon, { ...settings, scope }, { token: 'x' }).actions.length
    assert.equal(actions('mine'), 0)
    assert.ok(actions('') > 0)
  })
})
