import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, HostedCluster, Secret } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { aControlPlaneVersion, aHostedCluster, aVersionStatus } from '@windlass/api/fixtures'
import type { World } from '../hosted-cluster/testing/index.ts'
import { aNewPool, aWorld, messageOf, pass, poolIn, Provider, said, secretsIn, settle, setRelease } from './testing/index.ts'

const deploymentIn = (world: World) => world.find(capi.MachineDeployment, { namespace: 'clusters-prod', name: 'workers' })

function clusterWithout(...fields: readonly string[]): HostedCluster {
  const cluster = aHostedCluster()
  const status = Object.fromEntries(Object.entries(cluster.status ?? {}).filter(([field]) => !fields.includes(field)))
  return { ...cluster, status }
}

describe('the gate', () => {
  it('NP-12 stops the pass, and leaves everything as it is', () => {
    const world = aWorld()
    settle(world, new Provider(world))
    const before = [deploymentIn(world), poolIn(world).status?.conditions?.find(({ type }) => type === 'SupportedVersionSkew')]
    setRelease(world, '4.20.1')
    const { error } = pass(world)
    const message = 'Failed to get release image: the latest version supported is: "4.19.6". Attempting to use: "4.20.1"'
    assert.equal(error, `NodePool clusters/workers: ${message}`)
    assert.equal(said(poolIn(world), 'ValidReleaseImage'), 'False/ValidationFailed')
    assert.equal(messageOf(poolIn(world), 'ValidReleaseImage'), message)
    assert.deepEqual([deploymentIn(world), poolIn(world).status?.conditions?.find(({ type }) => type === 'SupportedVersionSkew')], before)
  })

  it('NP-13 opens when the control plane has completed the release', () => {
    const world = aWorld()
    settle(world, new Provider(world))
    setRelease(world, '4.20.1')
    pass(world)
    const cluster = world.find(HostedCluster, { namespace: 'clusters', name: 'prod' }) ?? assert.fail()
    const status = { ...cluster.status, controlPlaneVersion: aControlPlaneVersion('4.20.1'), version: aVersionStatus('4.20.1') }
    world.put({ ...cluster, status } as HostedCluster)
    pass(world)
    assert.equal(said(poolIn(world), 'ValidReleaseImage'), 'True/AsExpected')
    assert.equal(deploymentIn(world)?.spec.template.spec?.version, '4.20.1')
  })

  it('NP-16 can be left open; the advice is given all the same', () => {
    const annotations = { 'hypershift.openshift.io/skip-release-image-validation': 'true' }
    const cluster = aHostedCluster()
    const world = aWorld(aNewPool({ release: '4.13.9' }), { ...cluster, metadata: { ...cluster.metadata, annotations } })
    pass(world)
    assert.deepEqual(
      [said(poolIn(world), 'ValidReleaseImage'), said(poolIn(world), 'SupportedVersionSkew')],
      ['True/AsExpected', 'False/UnsupportedSkew'],
    )
    assert.notEqual(deploymentIn(world), undefined)
  })

  it('NP-19 does not stop what is only advised against', () => {
    const cluster = aHostedCluster({ release: '4.18.5' })
    const world = aWorld(aNewPool({ release: '4.18.10' }), cluster)
    pass(world)
    assert.deepEqual(
      [said(poolIn(world), 'ValidReleaseImage'), said(poolIn(world), 'SupportedVersionSkew')],
      ['True/AsExpected', 'False/UnsupportedSkew'],
    )
    assert.equal(deploymentIn(world)?.spec.template.spec?.version, '4.18.10')
  })

  it('NP-24 is not a crash when nothing tells the version of the cluster', () => {
    const world = aWorld(undefined, clusterWithout('version', 'controlPlaneVersion'))
    pass(world)
    assert.equal(said(poolIn(world), 'SupportedVersionSkew'), 'Unknown/ValidationFailed')
  })
})

describe('another image of the same version', () => {
  it('NP-33 rolls nothing out, and people are told so once', () => {
    const world = aWorld()
    const end = settle(world, new Provider(world))
    const [token = ''] = secretsIn(world)
    const release = world.find(Secret, { namespace: 'clusters-prod', name: token })?.data?.['release']
    const image = 'mirror.example.com/ocp/release:4.19.6-x86_64'
    const pool = poolIn(world)
    world.put({ ...pool, spec: { ...pool.spec, release: { image } } } as NodePool)
    world.events.length = 0
    pass(world, end)
    pass(world, end)
    assert.deepEqual(world.events, ['Warning SameVersionReleaseImage'])
    assert.deepEqual(secretsIn(world).length, 2)
    assert.equal(world.find(Secret, { namespace: 'clusters-prod', name: token })?.data?.['release'], release)
    assert.deepEqual(
      [said(poolIn(world), 'UpdatingVersion'), said(poolIn(world), 'UpdatingConfig')],
      ['False/AsExpected', 'False/AsExpected'],
    )
  })
})
